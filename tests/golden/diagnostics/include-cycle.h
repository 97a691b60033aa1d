byte x;
#include "include-cycle-again.h"
