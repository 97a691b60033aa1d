chan q = [65535] of { int, int };

active [100] proctype p() {
    int a[1000000];
    q!a[0], a[1]
}
