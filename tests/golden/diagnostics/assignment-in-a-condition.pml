byte x;

active proctype p() {
    if
    :: (x = 1) -> x = 2
    :: else
    fi;
    assert(x = 2)
}
