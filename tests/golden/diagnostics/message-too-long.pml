chan q = [2] of { byte, bool };
byte x, y, z;

active proctype p() {
    q!1, true, 3;
    q?x, y, z;
    q!1;
    q?x;
    q?[x, y, z]
}
