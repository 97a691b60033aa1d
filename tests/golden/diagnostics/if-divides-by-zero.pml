#define ROUNDS 0
#if 10 / ROUNDS > 2
byte x;
#endif

active proctype p() {
    skip
}
