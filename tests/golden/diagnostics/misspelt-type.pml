byt x;
boool flag;

active proctype p() {
    in y;
    x = 1
}
