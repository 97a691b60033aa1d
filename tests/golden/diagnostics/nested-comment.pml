/* A comment /* inside a comment */ ends early */
byte x;

active proctype p() {
    x = y
}
