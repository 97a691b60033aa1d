byte x, y;

active proctype p() {
    if
    :: x == 1 and y == 1 -> skip
    :: x == 2 or y == 2 then skip
    :: not x -> skip
    fi
}
