/*
 * Peterson's algorithm: mutual exclusion between two processes that share only variables.
 * G. L. Peterson, Myths about the mutual exclusion problem, 1981.
 *
 * Holds (58 states): the two are never in their critical sections together, and neither is ever stuck.
 * Breaks (assertion), with -D BROKEN: a process gives way before it announces its wish. Then both can
 * give way to each other in turn and enter together.
 *
 *   prom check examples/peterson.pml
 *   prom check -D BROKEN examples/peterson.pml
 */
bool wants[2];
bit turn;
byte inside;

active [2] proctype Process() {
	do
	::	skip;		/* the rest of its work */
#ifdef BROKEN
		turn = 1 - _pid;
		wants[_pid] = true;
#else
		wants[_pid] = true;
		turn = 1 - _pid;
#endif
		(!wants[1 - _pid] || turn == _pid);

		inside++;
		assert(inside == 1);
		inside--;

		wants[_pid] = false
	od
}
