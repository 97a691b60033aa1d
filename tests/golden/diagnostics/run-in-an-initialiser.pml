proctype q() {
    skip
}

pid child = run q();

active proctype p() {
    pid other = run q();
    other == 1
}
