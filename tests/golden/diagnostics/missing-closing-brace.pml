byte x;

active proctype p() {
    atomic {
        x = 1;
        x = 2

active proctype q() {
    x = 3
}
