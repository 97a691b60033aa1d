#define JOIN(a, b) a ## b
#define BEGIN ## x
#define NAME(a) #b

byte x;

active proctype p() {
    x JOIN(+, =) 1
}
