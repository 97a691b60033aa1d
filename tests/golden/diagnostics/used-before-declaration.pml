active proctype p() {
    count = 1;
    local = 2;
    byte local;
    local = 3
}

byte count;
