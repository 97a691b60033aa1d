byte x
byte y = ;
