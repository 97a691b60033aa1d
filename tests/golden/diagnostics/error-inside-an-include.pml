#include "error-inside-an-include.h"

active proctype p() {
    increment()
}
