byte x;

active proctype p() {
    x = 1;
    chan q = [1] of { byte };
    q!x
}
