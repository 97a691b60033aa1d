#define A 1
#include "include-without-end.h"

active proctype p() {
    skip
}
