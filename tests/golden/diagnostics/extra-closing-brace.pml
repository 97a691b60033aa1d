byte x;

active proctype p() {
    x = 1
}
}

active proctype q() {
    x = 2
}
