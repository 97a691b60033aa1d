byte x;

inline down(v) {
    v--;
    down(v)
}

active proctype p() {
    down(x)
}
