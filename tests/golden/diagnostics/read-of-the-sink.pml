byte x;

active proctype p() {
    x = _ + 1;
    _ = x
}
