byte x;

active proctype p() {
    printf(x);
    printm(x + 1);
    printf "hello"
}
