/*
 * Treiber's lock-free stack: push and pop with compare-and-swap.
 * R. K. Treiber, Systems programming: coping with parallelism, 1986.
 *
 * Holds (6,652 states): a cell that somebody has taken from the stack is not taken by anybody else. The
 * top carries a tag that changes with every operation.
 * Breaks (assertion), with -D BROKEN: there is no tag. Between reading the top and the compare-and-swap
 * the top may change and change back (the ABA problem), and a stale link becomes the new top.
 *
 *   prom check examples/treiber_stack.pml
 *   prom check -D BROKEN examples/treiber_stack.pml
 */
#define CELLS 3
#define NONE 0

byte next[CELLS + 1];	/* cells are numbered from 1 */
bool taken[CELLS + 1];
byte top;
byte tag;

#ifdef BROKEN
#define UNCHANGED(t, g) (top == t)
#else
#define UNCHANGED(t, g) (top == t && tag == g)
#endif

/* cell = NONE if the stack is empty. */
inline pop(cell) {
	do
	::	d_step { cell = top; seen = tag };
		if
		:: cell == NONE -> break
		:: else
		fi;
		link = next[cell];
		if
		:: d_step { UNCHANGED(cell, seen) -> top = link; tag++ }; break
		:: else
		fi
	od;
	link = 0;
	seen = 0;
	if
	:: cell != NONE -> assert(!taken[cell]); taken[cell] = true
	:: else
	fi
}

inline push(cell) {
	if
	:: cell != NONE ->
		taken[cell] = false;
		do
		::	d_step { link = top; seen = tag; next[cell] = link };
			if
			:: d_step { UNCHANGED(link, seen) -> top = cell; tag++ }; break
			:: else
			fi
		od
	:: else
	fi;
	atomic { link = 0; seen = 0; cell = 0 }
}

proctype Process() {
	byte a, b, link, seen;
	pop(a);
	pop(b);
	push(a);
	push(b)
}

init {
	byte i;
	atomic {
		for (i : 1 .. CELLS) { next[i] = top; top = i };
		i = 0;
		run Process();
		run Process()
	}
}
