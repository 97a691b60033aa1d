byte x;

active proctype p() {
    x = 1;
    unless { x == 2 }
}

active proctype q() {
    { x = 1 } unless { x == 2 } unless { x == 3 }
}
