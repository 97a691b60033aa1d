/* The example of predicate abstraction with one variable and its sign. */
int x = -3;

active proctype P() {
    do
    :: x > 5 -> break
    :: x <= 5 -> x++
    od;
    x = 0;
    assert(x >= 0)
}
