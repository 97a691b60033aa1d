byte x;

active proctype p() {
    do
    :: x > 0 ->
    ::
    od
}
