/*
 * Who has the largest number in a ring? D. Dolev, M. Klawe, M. Rodeh, An O(n log n) unidirectional distributed algorithm for
 * extrema finding in a circle, 1982. A node compares its number with those of its two neighbours to the left; if the nearer one is the
 * largest of the three, it goes on with that number, otherwise it only passes on. Who gets his own number back has won, and stops there.
 *
 * ImProviso, table 3; with -D FREE table 4: each node has any number below N. Numbers may be equal then, and a smaller one may win.
 * With -D HIDDEN the text does not tell who uses which channel: that is all that the tools of the tables knew, as there is no `xr` or `xs`.
 *
 *   prom check examples/papers/leader.pml --reduction twophase
 *   prom check -D N=3 -D FREE examples/papers/leader.pml --reduction twophase
 *   prom check -D N=5 -D FREE examples/papers/leader.pml --engine symbolic --reduction improviso
 */
#ifndef N
#define N 4
#endif

mtype = { first, second };
chan link[N] = [2 * N] of { mtype, byte };	/* link[i] leads to node i */

active [N] proctype Node() {
	bit racing = 1;
	byte other, left;
#ifdef HIDDEN
	chan in = link[_pid], out = link[(_pid + 1) % N];
#else
#define in link[_pid]
#define out link[(_pid + 1) % N]
#endif
#ifdef FREE
	byte number, best;
#define right_one (other >= number)
	if
	:: number = 0
	:: number = 1
#if N > 2
	:: number = 2
#endif
#if N > 3
	:: number = 3
#endif
#if N > 4
	:: number = 4
#endif
	fi;
	best = number;
#else
	byte number = _pid + 1, best = _pid + 1;
#define right_one (other == N)
#endif
	out!first(number);
end:	do
	:: atomic { in?first(other) -> assert(!racing || other != best || right_one) };
end_won:	if
		:: racing && other != best -> out!second(other); left = other
		:: !racing -> out!first(other)
		fi
	:: in?second(other) ->
		if
		:: racing ->
			if
			:: left > other && left > best -> best = left; out!first(left)
			:: else -> racing = 0
			fi
		:: else -> out!second(other)
		fi
#ifdef HIDDEN
	:: racing > 1 -> in = out; out = in	/* never */
#endif
	od
}
