// Counts in binary with the macros A to G, so that no two rounds are alike.
#ifdef A
#undef A
#ifdef B
#undef B
#ifdef C
#undef C
#ifdef D
#undef D
#ifdef E
#undef E
#ifdef F
#undef F
#define G
#else
#define F
#endif
#else
#define E
#endif
#else
#define D
#endif
#else
#define C
#endif
#else
#define B
#endif
#else
#define A
#endif
#include "include-without-end.h"
