// Shared counters.
byte count;
byte limit = cuont;

inline increment() {
    count = count + step
}
