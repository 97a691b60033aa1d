/* Two processes that count for themselves, each around a byte. PV, figure 5. */
proctype P() {
	byte x;
	do
	:: x++
	od
}

proctype Q() {
	byte y;
	do
	:: y++
	od
}

init {
	run P();
	run Q()
}
