byte count;

inline increment(v) {
    v = v + stp
}

active proctype p() {
    byte step = 2;
    increment(count);
    increment(cuont)
}
