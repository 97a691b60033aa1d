#define max(a, b) ((a) > (b) -> (a) : (b))

byte x = 3;

active proctype p() {
    x = max(x, 7;
    assert(x == 7)
}
