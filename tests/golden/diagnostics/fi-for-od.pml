byte x;

active proctype p() {
    do
    :: x < 10 ->
        if
        :: x == 5 -> break
        :: else -> x++
        od
    fi
}
