/*
 * A ticket lock: everybody draws a number and waits until it is called.
 *
 * Holds (2,021 states): at most one process is in its critical section, and they enter in the order in
 * which they drew their numbers.
 * Breaks (assertion), with -D BROKEN: a number is drawn in two steps, read and then increment. Two
 * processes can draw the same one.
 *
 *   prom check examples/ticket_lock.pml
 *   prom check -D BROKEN examples/ticket_lock.pml
 */
#define N 3

unsigned next : 2;	/* the next number to be drawn; wraps around, N of 4 are in use */
unsigned called : 2;	/* the number that may enter */
byte inside;
chan order = [N] of { byte };	/* who has drawn, in this order */

inline draw(number) {
#ifdef BROKEN
	number = next;
	atomic { next++; order!_pid }
#else
	atomic { number = next; next++; order!_pid }
#endif
}

active [N] proctype Process() {
	unsigned mine : 2;
	do
	::	draw(mine);
		called == mine;

		inside++;
		assert(inside == 1);
		order?eval(_pid);	/* it is really my turn: else I would be stuck here */
		inside--;

		called++
	od
}
