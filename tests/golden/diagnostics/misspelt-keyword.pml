byte x;

actve proctype p() {
    atmoic {
        x = 1;
        asert(x == 1)
    }
}

proctpye q() {
    x = 2
}
