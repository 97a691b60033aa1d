byte x;

active proctype p() {
start:
    byte local;
    local = x
}
