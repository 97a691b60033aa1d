chan q = [2] of { byte, byte };
byte x;

active proctype p() {
    q?x + 1, 2;
    q!;
    q?eval(x;
    q??<x, 1
}
