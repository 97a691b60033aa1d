#define
#define 3 N
#undef
#ifdef
#endif

active proctype p() {
    skip
}
