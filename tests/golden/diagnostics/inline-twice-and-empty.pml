byte x;

inline nothing() { }
inline set() { x = 1 }
inline set() { x = 2 }

active proctype p() {
    nothing();
    set()
}
