#define DECREMENT(v) if :: v > 0 -> v = :: else fi

byte x = 1;

active proctype p() {
    x = 2;
    DECREMENT(x)
}
