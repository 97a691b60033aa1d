chan q = [1] of { byte };
byte x;

active proctype p() {
    q!1
}

never {
    do
    :: q?x
    :: q!1
    :: else
    od
}
