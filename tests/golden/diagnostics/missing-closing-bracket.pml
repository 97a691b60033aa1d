byte a[3];

active proctype p() {
    a[1 = 2;
    a[2] = 3
}
