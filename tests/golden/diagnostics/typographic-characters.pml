byte größe;

active proctype p() {
    printf(“hello”);
    x ≥ 3 → x = x – 1
}
