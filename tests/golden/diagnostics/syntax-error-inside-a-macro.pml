#define GUARD(c) c ->
#define BROKEN if :: x > 0 -> x-- :: else ->

byte x = 1;

active proctype p() {
    GUARD(x > 0)
    BROKEN fi
}
