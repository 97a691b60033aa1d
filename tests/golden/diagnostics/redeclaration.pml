byte x;
int x;
byte p;

active proctype p(byte x) {
    byte y;
    if
    :: byte y; y = 1
    :: y = 2
    fi
}
