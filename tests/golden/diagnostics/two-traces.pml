chan q = [1] of { byte };

active proctype p() {
    q!1
}

trace {
    q!1
}

notrace {
    q!2
}
