byte x, y;

active proctype p() {
    x[1] = 2;
    y = x[y]
}
