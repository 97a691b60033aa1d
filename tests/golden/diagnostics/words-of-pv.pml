lock l;
sema s;

active proctype p() {
    lock(l);
    unlock(l)
}
