int big = 3000000000;

active proctype p() {
    big = nothing
}
