proctype worker(byte id; chan out) {
    out!id
}

chan q = [2] of { byte };

init {
    run worker(1);
    run worker(1, q, 2);
    run worker()
}
