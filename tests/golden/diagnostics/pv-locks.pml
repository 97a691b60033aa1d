// prom: --dialect pv
lock l;
byte x;

active proctype p() {
    lock(x);
    unlock(y);
    lock(l);
    run [i < 300] q(i)
}

proctype q(byte n) {
    skip
}
