#define N 3
#define N 4

byte x[N];

active proctype p() {
    x[0] = 1
}
