active proctype p() {
    typedef Pair { byte a; byte b };
    mtype = { red, green };
    inline f() { skip };
    skip
}
