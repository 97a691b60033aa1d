#include "include-cycle.h"

active proctype p() {
    x = 1
}
