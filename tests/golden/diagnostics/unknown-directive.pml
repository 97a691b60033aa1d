#defin N 3

byte x[3];

active proctype p() {
    x[0] = 1
}
