byte x;
#else
byte y;
#endif

active proctype p() {
    x = 1
}
