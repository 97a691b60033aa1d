byte x = ;

active proctype p() {
    x := 1;
    if
    :: x > 0 -> x = 2
    :: else skip
    od;
    whlie (x)
}

active proctyp q() {
    x = (1 + ;
    x = 2
}
