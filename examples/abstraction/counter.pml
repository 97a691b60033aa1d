/* A counter that goes through a million values; that it ends where it should needs one more predicate. */
int n;

active proctype Count() {
    do
    :: n < 1000000 -> n++
    :: else -> break
    od;
    assert(n >= 1000000)
}
