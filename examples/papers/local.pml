/* Two processes that count for themselves, each around a byte. One of them goes wrong. PV, figure 5. */
proctype P() {
	byte x;
	do
	:: x++
	od
}

proctype Q() {
	byte y;
	do
	:: y++; assert(0)
	od
}

init {
	run P();
	run Q()
}
