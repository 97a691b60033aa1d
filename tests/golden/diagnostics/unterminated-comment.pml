byte x;

/* The first process waits.
active proctype wait() {
    x == 1
}
