byte a[0];
byte b[0 - 3];
byte c[2000000000];

active proctype p() {
    a[0] = 1
}
