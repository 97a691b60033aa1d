active [200] proctype p() {
    skip
}

active [200] proctype q() {
    skip
}
