byte x;

active proctype p() {
    x == 0 -> x = 1
    fi;
    :: x = 2
    od
}
