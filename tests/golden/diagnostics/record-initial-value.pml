typedef Point { int x; int y };
Point a = 1;
byte n = { 1, 2 };

active proctype p() {
    a.x = 1
}
