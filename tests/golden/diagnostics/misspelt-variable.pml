bool wantP = false;
byte critical;

active proctype p() {
    wantp = true;
    critcal++;
    assert(critical == 1);
    velocity = 3
}
