#ifndef N
#error "choose N with -D N=3"
#endif
#warning this model is old

active proctype p() {
    skip
}
