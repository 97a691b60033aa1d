byte a[3];
byte x;
typedef Row { byte cell[4] };
Row rows[2];

active proctype p() {
    x = a;
    a = 1;
    rows[0].cell = 2;
    rows.cell[1] = 3
}
