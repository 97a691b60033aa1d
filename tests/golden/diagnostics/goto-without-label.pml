byte x;

active proctype p() {
    x++;
    goto
}
