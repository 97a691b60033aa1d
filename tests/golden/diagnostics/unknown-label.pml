byte x;

active proctype p() {
again:
    x++;
    goto agian;
    goto nowhere
}
