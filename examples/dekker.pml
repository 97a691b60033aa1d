/*
 * Dekker's algorithm: the first solution of mutual exclusion with shared variables alone.
 * E. W. Dijkstra, Over de sequentialiteit van procesbeschrijvingen, EWD 35, about 1962.
 *
 * Holds (166 states): the two are never in their critical sections together, and neither is ever stuck.
 * Breaks (invalid-end-state), with -D BROKEN: a process that has to wait for its turn does not withdraw
 * its wish. Then each waits for the other.
 *
 *   prom check examples/dekker.pml
 *   prom check -D BROKEN examples/dekker.pml
 */
bool wants[2];
bit turn;
byte inside;

active [2] proctype Process() {
	bit other = 1 - _pid;
again:
	wants[_pid] = true;
	do
	:: wants[other] ->
		if
		:: turn == _pid ->
			!wants[other]
		:: else ->
#ifndef BROKEN
			wants[_pid] = false;
#endif
			turn == _pid;
			wants[_pid] = true
		fi
	:: else -> break
	od;

	inside++;
	assert(inside == 1);
	inside--;

	turn = other;
	wants[_pid] = false;
	goto again
}
