byte x;

inline set() {
    x = 1
}
