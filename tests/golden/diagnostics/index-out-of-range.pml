byte a[3];

active proctype p() {
    a[3] = 1;
    a[0 - 1] = 2;
    b[0] = 3
}
