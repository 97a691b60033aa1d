byte x;

active proctype p() {
    do
    :: x < 10 -> x++
    :: else -> break
}
