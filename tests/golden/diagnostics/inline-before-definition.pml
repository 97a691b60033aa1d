byte x;

active proctype p() {
    increment(x)
}

inline increment(v) {
    v++
}
