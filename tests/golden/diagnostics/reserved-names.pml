byte _pid;
byte _;

active proctype p() {
    byte len;
    _pid = 1;
    _nr_pr++;
    skip
}
