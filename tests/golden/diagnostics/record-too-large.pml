typedef Row { byte cell[2000] };
typedef Table { Row row[2000]; byte rows };
Table table;

active proctype p() {
    table.rows = 1
}
