/*
 * How workers insert values into a set of words (crates/store/src/set64.rs, table.rs).
 *
 * A slot holds a value, or zero if it is empty. A worker walks over the slots from the place of its value until it
 * finds the value, or wins an empty slot with one compare-and-swap. A value never leaves its slot.
 * All values belong to one place here. Each worker inserts the values 1 to VALUES, beginning with another one.
 *
 * Holds (58,637 states): no value is new twice, and in the end every value is in one slot.
 * Breaks (assertion), with -D BROKEN: a worker looks and then stores, in two steps.
 *
 *   prom check docs/models/set64.pml
 *   prom check -D BROKEN docs/models/set64.pml
 */
#define WORKERS 3
#define VALUES 2
#define SLOTS 2
#define EMPTY 0

byte slot[SLOTS];
byte news[VALUES + 1];
byte done;

/* A step of the processor: the slot takes the value if it is empty. found is what was in it. */
#ifdef BROKEN
#define compare_and_swap() \
	found = slot[place]; \
	if \
	:: found == EMPTY -> slot[place] = value \
	:: else \
	fi
#else
#define compare_and_swap() \
	d_step { \
		found = slot[place]; \
		if \
		:: found == EMPTY -> slot[place] = value \
		:: else \
		fi \
	}
#endif

inline insert() {
	place = 0;
	do
	::	found = slot[place];
		if
		:: found == EMPTY ->
			compare_and_swap();
			if
			:: found == EMPTY -> news[value]++; break
			:: else
			fi
		:: else
		fi;
		if
		:: found == value -> break
		:: else
		fi;
		place++;
		assert(place < SLOTS)	/* the table has room */
	od
}

proctype worker(byte value) {
	byte place, found, count;

	do
	:: count < VALUES -> insert(); value = value % VALUES + 1; count++
	:: else -> break
	od;
	done++
}

/* When all are done, every value was new once and is in one slot. */
proctype judge() {
	byte value;

	done == WORKERS;
	d_step {
		for (value : 1 .. VALUES) {
			assert(news[value] == 1);
			assert(slot[0] == value || slot[1] == value)
		}
	}
}

init {
	byte me;

	atomic {
		for (me : 0 .. WORKERS - 1) {
			run worker(me % VALUES + 1)
		}
		run judge()
	}
}
