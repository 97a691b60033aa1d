byte x;

active proctype p() {
    goto inside;
    d_step {
        x = 1;
inside:
        x = 2;
        goto outside
    };
outside:
    do
    :: d_step { x = 3; break }
    od
}
