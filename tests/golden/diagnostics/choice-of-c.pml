byte x, y;

active proctype p() {
    x = y > 0 ? 1 : 2;
    x = (y > 0 -> 1)
}
