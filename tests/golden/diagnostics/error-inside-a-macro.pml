#define INCREMENT(v) v = v + step
#define TWICE(v) INCREMENT(v); INCREMENT(v)

byte count;

active proctype p() {
    TWICE(count);
    assert(count == 2)
}
