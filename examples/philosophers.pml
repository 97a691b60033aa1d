/*
 * The dining philosophers: each needs the forks to his left and right to eat.
 * E. W. Dijkstra, Hierarchical ordering of sequential processes, 1971.
 *
 * Holds (3,552 states): the dinner never comes to a halt, and no fork is in two hands. One philosopher
 * takes his right fork first.
 * Breaks (invalid-end-state), with -D BROKEN: all take the left fork first. When all have done so, each
 * waits for his neighbour.
 *
 *   prom check examples/philosophers.pml
 *   prom check -D BROKEN examples/philosophers.pml
 */
#define N 5

bool taken[N];
byte holder[N];

inline take(fork) { atomic { !taken[fork] -> taken[fork] = true; holder[fork] = _pid } }
inline lay_down(fork) { atomic { assert(holder[fork] == _pid); taken[fork] = false; holder[fork] = 0 } }

active [N] proctype Philosopher() {
	byte first = _pid, second = (_pid + 1) % N;
#ifndef BROKEN
	if
	:: _pid == N - 1 -> first = (_pid + 1) % N; second = _pid
	:: else
	fi;
#endif
	do
	::	take(first);
		take(second);
		assert(holder[first] == _pid && holder[second] == _pid);	/* eats */
		lay_down(second);
		lay_down(first)
	od
}
