byte a[3];

active proctype p() {
    a[3] = 1;
    a[2] = 2
}
