proctype q() {
    skip
}

byte i;
chan c = [1] of { byte };

active proctype p() {
    c!run q();
    c?eval(run q());
    for (i : 1 .. run q()) { skip }
    set_priority(run q(), 2)
}
