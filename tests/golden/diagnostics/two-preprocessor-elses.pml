#ifdef SMALL
#define N 2
#else
#define N 4
#else
#define N 8
#endif

byte x[N];

active proctype p() {
    x[0] = 1
}
