/*
 * How workers insert states into the plain store (crates/store/src/plain.rs, table.rs).
 *
 * A table of slots holds numbers of records. A worker walks over the slots from the place where its state belongs.
 * At an empty slot it writes its record into memory of its own, and then publishes the number with one
 * compare-and-swap. Whoever finds a number compares the record with its state. A worker that loses the race looks
 * at the record it lost to; a record that was not published is written over by the next one.
 *
 * Here every state belongs to the same place, and nobody can tell states apart but by their records: the worst case.
 * Each of the workers inserts the states 1 to STATES, beginning with another one. Records are written word by word.
 *
 * Holds (13,974 states): no state is new twice; nobody reads a record that is not written completely; in the end
 * every state is in the table once.
 * Breaks (assertion), with -D BROKEN: the number is published before the record is written.
 * Breaks (assertion), with -D CARELESS: a worker that loses the race does not look at what it lost to.
 *
 *   prom check docs/models/plain-store.pml
 *   prom check -D BROKEN docs/models/plain-store.pml
 *   prom check -D CARELESS docs/models/plain-store.pml
 */
#define WORKERS 2
#define STATES 3
#define SLOTS (WORKERS * STATES)
#define EMPTY 0

/* A record is two words, which say the same. Record numbers are from 1; each worker has its own. */
#define RECORDS (WORKERS * STATES)
byte first_word[RECORDS + 1];
byte second_word[RECORDS + 1];

byte slot[SLOTS];
byte news[STATES + 1];
byte done;

/* The worker's next record. It is kept until it is published. */
#define write_record() \
	first_word[mine] = state; \
	second_word[mine] = state

/* A step of the processor: the slot takes the number if it is empty. found is what was in it. */
#define compare_and_swap() \
	d_step { \
		found = slot[place]; \
		if \
		:: found == EMPTY -> slot[place] = mine \
		:: else \
		fi \
	}

#define compare() \
	assert(first_word[found] != 0 && first_word[found] == second_word[found]); \
	if \
	:: first_word[found] == state -> break \
	:: else \
	fi

inline insert() {
	place = 0;
	do
	::	found = slot[place];
		if
		:: found == EMPTY ->
#ifdef BROKEN
			compare_and_swap();
			if
			:: found == EMPTY -> write_record()
			:: else
			fi;
#else
			write_record();
			compare_and_swap();
#endif
			if
			:: found == EMPTY -> news[state]++; mine++; break
			:: else
			fi
#ifdef CARELESS
		:: else -> compare()
		fi;
#else
		:: else
		fi;
		compare();
#endif
		place++;
		assert(place < SLOTS)	/* the table has room */
	od
}

proctype worker(byte me) {
	byte state = me + 1;	/* what is to be inserted */
	byte mine = me * STATES + 1;	/* the number of the worker's next record */
	byte place, found, count;

	do
	:: count < STATES -> insert(); state = state % STATES + 1; count++
	:: else -> break
	od;
	done++
}

/* When all are done, every state was new once and is in the table once. */
proctype judge() {
	byte place, state, seen;

	done == WORKERS;
	d_step {
		for (state : 1 .. STATES) {
			assert(news[state] == 1);
			seen = 0;
			for (place : 0 .. SLOTS - 1) {
				if
				:: slot[place] != EMPTY && first_word[slot[place]] == state -> seen++
				:: else
				fi
			}
			assert(seen == 1)
		}
	}
}

init {
	byte me;

	atomic {
		for (me : 0 .. WORKERS - 1) {
			run worker(me)
		}
		run judge()
	}
}
