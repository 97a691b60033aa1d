typedef Point { int x; int y };
typedef Line { Point from; Point to };
Line l;
int n;

active proctype p() {
    l.from.z = 1;
    l.form.x = 2;
    n.x = 3;
    l.from.x.y = 4
}
