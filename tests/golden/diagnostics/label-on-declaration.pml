byte x;
chan q = [1] of { byte };

active proctype p() {
start:
    byte y;
    y = x;
next:
    xr q;
    q?y
}
