/*
 * Readers and writers: many may read together, but a writer must be alone.
 * P. J. Courtois, F. Heymans, D. L. Parnas, Concurrent control with "readers" and "writers", 1971.
 *
 * Holds (685 states): nobody reads while somebody writes, no two write together, and nobody is stuck.
 * The first reader locks the room for all readers, the last one unlocks it.
 * Breaks (assertion), with -D BROKEN: readers count themselves without a lock, and a count is lost.
 *
 *   prom check examples/readers_writers.pml
 *   prom check -D BROKEN examples/readers_writers.pml
 */
#define READERS 3
#define WRITERS 2

bool room, counting;	/* two locks */
byte count;		/* of readers, as they know it */
byte reading, writing;	/* as it is */

inline acquire(lock_) { atomic { !lock_ -> lock_ = true } }
inline release(lock_) { lock_ = false }

#ifdef BROKEN
#define ACQUIRE_COUNT skip
#define RELEASE_COUNT skip
#else
#define ACQUIRE_COUNT acquire(counting)
#define RELEASE_COUNT release(counting)
#endif

active [READERS] proctype Reader() {
	do
	::	ACQUIRE_COUNT;
		count++;
		if
		:: count == 1 -> acquire(room)
		:: else
		fi;
		RELEASE_COUNT;

		reading++;
		assert(writing == 0);
		reading--;

		ACQUIRE_COUNT;
		count--;
		if
		:: count == 0 -> release(room)
		:: else
		fi;
		RELEASE_COUNT
	od
}

active [WRITERS] proctype Writer() {
	do
	::	acquire(room);
		writing++;
		assert(writing == 1 && reading == 0);
		writing--;
		release(room)
	od
}
