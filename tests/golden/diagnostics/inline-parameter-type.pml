byte x;

inline set(byte v; int w) {
    v = w
}

active proctype p() {
    set(x, 1)
}
