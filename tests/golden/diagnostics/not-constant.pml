byte n = 3;
byte m;
byte a[n];
byte b[m];
byte c[n + m];
byte d[10 / 0];
chan q = [m] of { byte };

active [m] proctype p() {
    skip
}
