byte x;

active proctype p() {
    if
    :: x == 1 -> skip
    :: else -> x = 2
    :: else -> x = 3
    fi
}
