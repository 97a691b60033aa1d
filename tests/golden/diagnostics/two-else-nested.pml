byte x;

active proctype p() {
    do
    :: if
       :: x == 1 -> skip
       :: else -> x = 2
       fi
    :: else -> break
    od
}
