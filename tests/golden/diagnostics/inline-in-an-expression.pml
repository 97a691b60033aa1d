byte x;

inline two() {
    return 2
}

active proctype p() {
    x = 1 + two();
    assert(two() == 2)
}
