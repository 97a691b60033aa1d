byte x, y;

active proctype p() {
    x = y = 1;
    x = y++;
    x = x + y--
}
