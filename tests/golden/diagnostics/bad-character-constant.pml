byte a = 'ab';
byte b = '';
byte c = 'é';
byte d = '\0';

active proctype p() {
    a = 'x'
}
