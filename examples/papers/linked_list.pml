/*
 * A circular list with links in one direction, kept by messages between its cells: cell 0 is the head and stays; the others
 * come in behind it and leave as they like, all at the same time. Who leaves sends word round the ring until it comes to the cell before him.
 * That cell takes over his link, unless it is leaving itself; then he has to try again. S. Park, D. Dill, Protocol verification by
 * aggregation of distributed transactions, 1996. PV, figures 6 and 8.
 *
 *   prom check -D N=2 examples/papers/linked_list.pml --reduction twophase
 */
#ifndef N
#define N 3					/* cells beside the head */
#endif

mtype = { add, added, remove, removed, refused };
chan box[N + 1] = [2 * N] of { mtype, byte, byte };	/* what a cell is told */
chan done[N + 1] = [1] of { bit };			/* who was let go has passed on everything */

/* Cell `who` wants to leave, and cell `after` is behind it: it is my neighbour, or it is not. */
inline let_go() {
	assert(who != me);
	if
	:: next == who && !leaving ->
		next = after;
		box[who]!removed(me, 0);
		done[me]?_			/* till then somebody may still come by the old way */
	:: next == who && leaving -> box[who]!refused(0, 0)
	:: else -> box[next]!remove(who, after)
	fi;
	who = 0; after = 0
}

proctype Head(byte me; chan told) {
	byte next, who, after;
	bool leaving;
	xr told;
end:	do
	:: told?add(who, _) ->
		box[who]!added(next, 0);
		next = who; who = 0
	:: told?remove(who, after) -> let_go()
	od
}

proctype Cell(byte me; chan told) {
	byte next, who, after;
	bool leaving;
	mtype what;
	xr told;
	do
	:: box[0]!add(me, 0);
	   told?what(next, _);
	   assert(what == added);		/* nobody else talks to a cell that is outside */
	   do
	   :: !leaving -> leaving = true; box[next]!remove(me, next)
	   :: told?remove(who, after) -> let_go()
	   :: told?refused(_, _) -> assert(leaving); leaving = false
	   :: told?removed(who, _) -> assert(leaving); leaving = false; break
	   od;
	   done[who]!0;
	   next = 0; who = 0; what = 0
	od
}

init {
	byte i;
	atomic {
		run Head(0, box[0]);
		for (i : 1 .. N) { run Cell(i, box[i]) }
	}
}
