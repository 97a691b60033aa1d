byte x; [31m

active proctype p() {
    x = 1
}
