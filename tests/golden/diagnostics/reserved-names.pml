byte _pid;
byte _last;

active proctype p() {
    _pid = 1;
    _nr_pr++
}
