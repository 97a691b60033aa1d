byte x;

active proctype p() {
    if
    :: x == 0 -> break
    :: else -> skip
    fi
}
