active [300] proctype p() {
    skip
}

active [-1] proctype q() {
    skip
}
