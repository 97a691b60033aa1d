hidden mtype = { red, green };

active proctype p() {
    mtype x = red;
    x == red
}
