typedef Pair { byte a, byte b };
typedef Other { byte a byte b };

active proctype p() {
    Pair x;
    x.a = 1
}
