byte x;

active proctype p() {
    x = 3 \ 2;
    x = x ` 1;
    #x
}
