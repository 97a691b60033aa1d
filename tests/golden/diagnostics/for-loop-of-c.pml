byte i, x;

active proctype p() {
    for (i = 0; i < 10; i++) {
        x++
    }
}
