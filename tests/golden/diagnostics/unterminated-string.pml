active proctype p() {
    printf("waiting for the lock\n);
    skip
}
