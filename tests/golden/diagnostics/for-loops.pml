typedef Pair { byte a; byte b };
byte i, x;
byte a[3];
chan q = [2] of { byte };
chan r = [2] of { byte, byte, byte };
Pair pair;

active proctype p() {
    for (i : 5 .. 1) { skip }
    for (i in x) { skip }
    for (i in q) { skip }
    for (pair in r) { skip }
    for (q : 1 .. 3) { skip }
    for (j : 1 .. 3) { skip }
    for (i in b) { skip }
    select (i : 3 .. 2)
}
