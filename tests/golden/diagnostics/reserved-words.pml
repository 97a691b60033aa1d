byte len;
chan trace = [1] of { byte };
byte in;

active proctype init() {
    byte local;
    skip
}
