byte x, y;

inline swap(a, b) {
    a = b
}

inline reset() {
    x = 0
}

active proctype p() {
    swap(x);
    reset(x)
}
