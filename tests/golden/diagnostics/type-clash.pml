chan q = [1] of { byte };
mtype = { red };
typedef Pair { byte a; byte b };
Pair pair;
byte x;

active proctype p() {
    q = 3;
    q = red;
    q++;
    x = pair
}
