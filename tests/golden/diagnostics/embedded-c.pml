c_decl {
    typedef struct { int a; } Pair;
};
c_state "Pair pair" "Global";

active proctype p() {
    c_code { now.pair.a = 1; };
    c_expr { now.pair.a == 1 }
}
