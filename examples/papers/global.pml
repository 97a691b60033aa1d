/* Two processes that count, one of them in a variable that both see, each around a byte. One of them goes wrong. PV, figure 5. */
byte y;

proctype P() {
	byte x;
	do
	:: x++
	od
}

proctype Q() {
	do
	:: y++; assert(0)
	od
}

init {
	run P();
	run Q()
}
