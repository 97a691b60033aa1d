byte x;
chan q = [1] of { byte };
typedef Pair { byte a };
Pair pair;

active proctype p() {
    x!1;
    x?1;
    len(x) > 0;
    pair!1;
    p!1;
    quit?x
}
