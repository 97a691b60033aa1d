#define DEBUG 1

active proctype p() {
#if DEBUG
    printf("started\n");
    skip
}
