#include "include-without-end.h"

active proctype p() {
    skip
}
