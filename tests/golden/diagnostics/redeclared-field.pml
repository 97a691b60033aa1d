typedef Point {
    int x;
    int x
};
mtype = { red, green, red };

active proctype p() {
    Point q;
    q.x = 1
}
