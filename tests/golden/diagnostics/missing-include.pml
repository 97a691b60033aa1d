#include "no-such-file.h"

active proctype p() {
    skip
}
