proctype p(byte a[3]; byte b = 1) {
    b == 1
}

init {
    run p(1, 2)
}
