byte x, y;

active proctype p() {
    x = 1 y = 2;
    x++ y++
}
