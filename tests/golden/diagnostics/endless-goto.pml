active proctype p() {
    goto a;
a:  goto b;
b:  goto a
}
