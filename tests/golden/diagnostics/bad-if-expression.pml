#define N 3
#if N >
byte x[N];
#endif
#if VERSION(2) > 1
byte y;
#endif
#if (N > 2
byte z;
#endif
#if defined
byte w;
#endif

active proctype p() {
    skip
}
