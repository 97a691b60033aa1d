active proctype p() {
    count = 1;
    mine = 2;
    byte mine;
    mine = 3
}

byte count;
