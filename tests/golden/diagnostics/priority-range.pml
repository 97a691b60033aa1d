active proctype p() priority 0 {
    skip
}

proctype q() {
    skip
}

init {
    run q() priority 256
}
