mtype = { red };
typedef Pair { byte a };
inline helper() { skip }

active proctype p() {
    red = 1;
    p = 2;
    Pair = 3;
    helper = 4
}
