typedef Point { int x; int y };
Point a, b;
int n;

active proctype p() {
    a = b;
    if
    :: a == b -> skip
    :: else -> skip
    fi;
    n = a;
    printf("%d\n", a);
    a++
}
