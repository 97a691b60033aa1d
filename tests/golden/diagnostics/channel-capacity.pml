chan q = [0 - 1] of { byte };
chan r = [1000000] of { byte };

active proctype p() {
    q!1
}
