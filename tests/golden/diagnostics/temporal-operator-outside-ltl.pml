byte x;

active proctype p() {
    [] (x == 1);
    assert(<> (x == 2));
    x == 1 U x == 2
}
