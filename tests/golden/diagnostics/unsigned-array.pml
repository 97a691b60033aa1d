unsigned x[3] : 4;

active proctype p() {
    skip
}
