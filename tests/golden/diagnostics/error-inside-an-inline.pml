byte count;

inline increment(v) {
    v = v + ;
    v = step
}

active proctype p() {
    increment(count)
}
