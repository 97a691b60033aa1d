#include "syntax-error-inside-an-include.h"

active proctype p() {
    x = 1;
    y =
}
