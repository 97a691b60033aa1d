// Each round has one more definition, so this is no simple cycle, and it never ends either.
#define PASTE(a, b) a ## b
#define NEXT(a) PASTE(a, x)
#ifndef ROUND
#define ROUND 1
#include "include-without-end.h"
#else
#undef ROUND
#include "include-without-end.h"
#include "include-without-end.h"
#endif
