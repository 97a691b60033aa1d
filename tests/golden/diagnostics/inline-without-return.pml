byte x;

inline one() {
    skip
}

inline two() {
    return 2
}

active proctype p() {
    x = one();
    two();
    return 3
}
