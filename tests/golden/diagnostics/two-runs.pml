proctype q(byte x) {
    skip
}

active proctype p() {
    run q(1) && run q(2);
    run q(run q(3))
}
