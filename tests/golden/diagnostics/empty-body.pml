active proctype p() {
}

active proctype q() {
    atomic { };
    if
    ::
    :: else -> skip
    fi
}
