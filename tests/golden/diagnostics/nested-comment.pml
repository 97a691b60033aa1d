/* Switched off:
    /* wait */
    x == 1
*/
byte x;

active proctype p() {
    /* done /* really */ */
    x = 1
}
