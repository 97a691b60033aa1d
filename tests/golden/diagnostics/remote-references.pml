typedef Pair { byte a };

proctype worker() {
    byte count;
    byte cells[2];
    Pair pair;
working:
    count++
}

init {
    run worker();
    worker[1]@wroking;
    worker[1]:cuont == 1;
    worker[1]:cells == 1;
    worker[1]:pair.a == 1;
    wrker[1]@working
}
