byte x == 1;

active proctype p() {
    int y == 2;
    x = y
}
