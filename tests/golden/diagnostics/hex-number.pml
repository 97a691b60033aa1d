int mask = 0xFF;
int long = 10L;
int size = 3bytes;

active proctype p() {
    mask = 0b101
}
