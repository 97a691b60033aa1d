byte y;
#include "include-cycle.h"
