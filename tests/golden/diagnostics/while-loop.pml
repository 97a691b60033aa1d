byte x;

active proctype p() {
    while (x < 10) {
        x++
    }
    switch (x) {
        skip
    }
}
