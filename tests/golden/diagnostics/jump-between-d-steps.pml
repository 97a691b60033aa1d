byte x;

active proctype p() {
    d_step {
        x = 1;
        goto there
    };
    d_step {
        x = 2;
there:
        x = 3
    }
}
