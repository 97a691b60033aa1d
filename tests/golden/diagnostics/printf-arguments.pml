byte x;

active proctype p() {
    printf("%d %d\n", x);
    printf("done\n", x)
}
