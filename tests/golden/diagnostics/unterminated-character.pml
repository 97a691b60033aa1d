byte letter = 'a;

active proctype p() {
    letter == 'a'
}
