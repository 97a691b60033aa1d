#define max(a, b) ((a) > (b) -> (a) : (b))

byte x = 3;

active proctype p() {
    x = max(x);
    x = max(x, 2, 7)
}
