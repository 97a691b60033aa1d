proctype q() {
    skip
}

byte a[3];
chan c = [1] of { byte };

active proctype p() {
    c!run q();
    a[run q()] = 1;
    a[0] = run q()
}

never {
    do
    :: run q()
    od
}
