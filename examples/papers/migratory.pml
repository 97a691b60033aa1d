/*
 * A migratory cache protocol, after the one of the Avalanche machine: a line has a home and at most one copy, which
 * travels. Two lines and their homes, two nodes; a node may wait for one line while it is asked for the other.
 * Twophase, table 1 (Mig); PV, figures 6 and 8; ImProviso, tables 1 and 2.
 *
 *   prom check examples/papers/migratory.pml --reduction twophase
 */
#ifndef LINES
#define LINES 2
#endif

mtype = { request, grant, recall, give, invalid, waiting, valid };
chan up[2 * LINES] = [2] of { mtype, bit };	/* from node n to the home of line l: up[2 * l + n] */
chan down[2 * LINES] = [2] of { mtype, bit };	/* back again */
bit latest[LINES];				/* what was written last */

proctype Home(chan from0, to0, from1, to1) {
	bit data;
	xr from0; xs to0; xr from1; xs to1;
end_free:
	if
	:: from0?request(_) -> to0!grant(data); goto end_lent0
	:: from1?request(_) -> to1!grant(data); goto end_lent1
	fi;
end_lent0:
	if
	:: from0?give(data) -> goto end_free		/* of its own accord */
	:: from1?request(_) -> to0!recall(0); from0?give(data); to1!grant(data); goto end_lent1
	fi;
end_lent1:
	if
	:: from1?give(data) -> goto end_free
	:: from0?request(_) -> to1!recall(0); from1?give(data); to0!grant(data); goto end_lent0
	fi
}

/* What a node can do with a line that it reaches by `to` and `from`. A recall that finds no copy has crossed its return. */
#define use(line, state, copy, to, from) \
	:: state == invalid -> to!request(0); state = waiting \
	:: from?grant(copy) -> assert(state == waiting && copy == latest[line]); state = valid \
	:: state == valid -> d_step { copy = 1 - copy; latest[line] = copy } \
	:: state == valid -> state = invalid; to!give(copy); copy = 0 \
	:: from?recall(_) -> if \
		:: state == valid -> state = invalid; to!give(copy); copy = 0 \
		:: else \
		fi

proctype Node(chan to0, from0, to1, from1) {
	mtype state0 = invalid, state1 = invalid;
	bit copy0, copy1;
	xs to0; xr from0; xs to1; xr from1;
	do
	use(0, state0, copy0, to0, from0)
#if LINES > 1
	use(1, state1, copy1, to1, from1)
#endif
	od
}

#define other (LINES - 1)

init {
	atomic {
		run Home(up[0], down[0], up[1], down[1]);
#if LINES > 1
		run Home(up[2], down[2], up[3], down[3]);
#endif
		run Node(up[0], down[0], up[2 * other], down[2 * other]);
		run Node(up[1], down[1], up[2 * other + 1], down[2 * other + 1])
	}
}
