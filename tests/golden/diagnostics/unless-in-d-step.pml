byte x;

active proctype p() {
    d_step {
        x = 1 unless x == 2;
        x = 3
    }
}
