#define max(a b) ((a) > (b) -> (a) : (b))
#define min(a, a) (a)
#define abs(a

active proctype p() {
    skip
}
