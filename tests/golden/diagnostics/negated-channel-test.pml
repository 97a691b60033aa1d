chan q = [2] of { byte };

active proctype p() {
    !full(q) -> q!1;
    full(q) == false -> q!2;
    printf("%d\n", empty(q))
}
