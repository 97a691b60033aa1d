byte x;

inline increment(v) {
    v++
}

active proctype p() {
    incremnt(x);
    decrement(x);
    p()
}
