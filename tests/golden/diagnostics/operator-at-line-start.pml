byte x, y;

active proctype p() {
    x == 1
    && y == 1
}
