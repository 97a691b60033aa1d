/*
 * A cache protocol with invalidation, after the one of the Avalanche machine: the home of a line lends it to many readers or to
 * one writer, and takes it back from all others before somebody writes. A reader may forget its copy without a word, a writer may
 * give it back unasked. Two lines and their homes, two nodes, each waiting for one line at a time. What is written is watched in line 0.
 * Twophase, table 1 (Inv); PV, figures 6 and 8.
 *
 *   prom check examples/papers/invalidate.pml --reduction twophase
 */
#ifndef LINES
#define LINES 2
#endif

mtype = { read, write, shared, exclusive, recall, forget, back, gone, invalid, waiting };
chan ask[2 * LINES] = [1] of { mtype };		/* from node n to the home of line l: ask[2 * l + n] */
chan reply[2 * LINES] = [2] of { mtype, bit };	/* the same way */
chan down[2 * LINES] = [2] of { mtype, bit };	/* from home to node */
bit latest[LINES];				/* what was written last */

/* Who may have the line: nobody, the one or the other as a reader, both, the one or the other as a writer. */
proctype Home(chan ask0, from0, to0, ask1, from1, to1) {
	bit data;
	xr ask0; xr from0; xs to0; xr ask1; xr from1; xs to1;
end_free:
	if
	:: ask0?read -> to0!shared(data); goto end_reads0
	:: ask1?read -> to1!shared(data); goto end_reads1
	:: ask0?write -> to0!exclusive(data); goto end_writes0
	:: ask1?write -> to1!exclusive(data); goto end_writes1
	fi;
end_reads0:
	if
	:: ask0?read -> to0!shared(data); goto end_reads0
	:: ask1?read -> to1!shared(data); goto end_read
	:: ask0?write -> to0!exclusive(data); goto end_writes0
	:: ask1?write -> to0!forget(0); from0?gone(_); to1!exclusive(data); goto end_writes1
	fi;
end_reads1:
	if
	:: ask0?read -> to0!shared(data); goto end_read
	:: ask1?read -> to1!shared(data); goto end_reads1
	:: ask0?write -> to1!forget(0); from1?gone(_); to0!exclusive(data); goto end_writes0
	:: ask1?write -> to1!exclusive(data); goto end_writes1
	fi;
end_read:
	if
	:: ask0?read -> to0!shared(data); goto end_read
	:: ask1?read -> to1!shared(data); goto end_read
	:: ask0?write -> to1!forget(0); from1?gone(_); to0!exclusive(data); goto end_writes0
	:: ask1?write -> to0!forget(0); from0?gone(_); to1!exclusive(data); goto end_writes1
	fi;
end_writes0:
	if
	:: from0?back(data) -> goto end_free		/* of its own accord; it may ask again */
	:: ask1?read -> to0!recall(0); from0?back(data); to1!shared(data); goto end_reads1
	:: ask1?write -> to0!recall(0); from0?back(data); to1!exclusive(data); goto end_writes1
	fi;
end_writes1:
	if
	:: from1?back(data) -> goto end_free
	:: ask0?read -> to1!recall(0); from1?back(data); to0!shared(data); goto end_reads0
	:: ask0?write -> to1!recall(0); from1?back(data); to0!exclusive(data); goto end_writes0
	fi
}

/* What a node can do with a line. A recall that finds no copy has crossed its return. */
#define use(line, state, copy, ask, to, from, other) \
	:: state == invalid && other != waiting -> state = waiting; ask!read \
	:: (state == invalid || state == shared) && other != waiting -> state = waiting; ask!write \
	:: from?shared(copy) -> assert(state == waiting); state = shared \
	:: from?exclusive(copy) -> assert(state == waiting && copy == latest[line]); state = exclusive \
	:: state == shared -> assert(copy == latest[line]) \
	:: state == shared -> d_step { state = invalid; copy = 0 } \
	:: state == exclusive -> d_step { copy = (line == 0 -> 1 - copy : 0); latest[line] = copy } \
	:: state == exclusive -> to!back(copy); d_step { state = invalid; copy = 0 } \
	:: from?recall(_) -> if \
		:: state == exclusive -> to!back(copy); d_step { state = invalid; copy = 0 } \
		:: else \
		fi \
	:: from?forget(_) -> to!gone(0); if \
		:: state == shared -> d_step { state = invalid; copy = 0 } \
		:: else \
		fi

proctype Node(chan ask0, to0, from0, ask1, to1, from1) {
	mtype state0 = invalid, state1 = invalid;
	bit copy0, copy1;
	xs ask0; xs to0; xr from0; xs ask1; xs to1; xr from1;
	do
	use(0, state0, copy0, ask0, to0, from0, state1)
#if LINES > 1
	use(1, state1, copy1, ask1, to1, from1, state0)
#endif
	od
}

#define link(n, l) ask[2 * (l) + n], reply[2 * (l) + n], down[2 * (l) + n]

init {
	atomic {
		run Home(link(0, 0), link(1, 0));
#if LINES > 1
		run Home(link(0, 1), link(1, 1));
#endif
		run Node(link(0, 0), link(0, LINES - 1));
		run Node(link(1, 0), link(1, LINES - 1))
	}
}
