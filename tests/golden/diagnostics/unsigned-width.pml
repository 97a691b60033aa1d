unsigned a;
unsigned b : 0;
unsigned c : 32;
unsigned d : n;
chan q = [1] of { unsigned };

active proctype p() {
    a = 1
}
