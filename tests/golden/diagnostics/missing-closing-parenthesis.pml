byte x, y;

active proctype p() {
    (x == 1 && (y == 2 -> x = 2;
    assert(x == 2;
    y = 1
}
