byte x;

active proctype p() {
again:
    x++;
again:
    x--;
    goto again
}
