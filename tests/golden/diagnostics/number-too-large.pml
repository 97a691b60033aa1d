int big = 3000000000;

active proctype p() {
    big = 2147483648
}
