#include
#include channels.h

active proctype p() {
    skip
}
