typedef Point { int x; int y };
Pont origin;
Message m;
chan q = [1] of { Mesage };

active proctype p() {
    origin.x = 1
}

typedef Message { byte kind };
