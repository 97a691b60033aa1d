byte x;

x = 1;

do
:: x++
od
