proctype p(byte a, int b) {
    a == b
}

init {
    run p(1, 2)
}
