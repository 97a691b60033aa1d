byte x;

active proctype p {
    x = 1
}

active proctype () {
    x = 2
}
