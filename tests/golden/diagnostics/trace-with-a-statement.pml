chan q = [1] of { byte };
byte x;

active proctype p() {
    q!1
}

trace {
    x = 1;
    q!1;
    x == 1
}
