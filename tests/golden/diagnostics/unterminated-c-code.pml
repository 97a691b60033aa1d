int x;

active proctype p() {
    x = 1
}

c_decl {
    typedef struct { int a; } Pair;
