/*
 * How workers add entries to words of two halves (crates/store/src/halves.rs, pairs.rs, nodes.rs).
 *
 * A word of a table has two halves, each of which holds an entry, or zero if it is empty; the first half is taken first. A worker
 * walks over the words from the place of its entry until it finds it, or adds it with one compare-and-swap of a whole word,
 * which fails if any half has changed since the word was read: then the word is looked at once more.
 * All entries belong to one place here. Each worker inserts the entries 1 to ENTRIES, beginning with another one.
 *
 * Holds (5,984 states): no entry is new twice, and in the end every entry is in one half.
 * Breaks (assertion), with -D BROKEN: who has lost takes the next half without looking at what it lost to.
 *
 *   prom check docs/models/halves.pml
 *   prom check -D BROKEN docs/models/halves.pml
 */
#define WORKERS 2
#define ENTRIES 3
#define WORDS 2
#define EMPTY 0

byte first[WORDS];
byte second[WORDS];
byte news[ENTRIES + 1];
byte done;

/* A step of the processor: the word becomes one with the entry if it is what was seen. won tells whether it did. */
inline compare_and_swap() {
	d_step {
		won = (first[place] == seen_first && second[place] == seen_second);
		if
		:: won && seen_first == EMPTY -> first[place] = entry
		:: won && seen_first != EMPTY -> second[place] = entry
		:: else
		fi
	}
}

inline look() {
	d_step {
		seen_first = first[place];
		seen_second = second[place]
	}
}

#ifdef BROKEN
#define lost() blind = true
#else
#define lost() skip
#endif

inline insert() {
	place = 0;
	blind = false;
	do
	::	look();
		if
		:: (seen_first == entry || seen_second == entry) && !blind -> break
		:: else
		fi;
		if
		:: seen_second != EMPTY -> place++; assert(place < WORDS)	/* the table has room */
		:: else ->
			compare_and_swap();
			if
			:: won -> news[entry]++; break
			:: else -> lost()
			fi
		fi
	od
}

proctype worker(byte entry) {
	byte place, seen_first, seen_second, count;
	bool won, blind;

	do
	:: count < ENTRIES -> insert(); entry = entry % ENTRIES + 1; count++
	:: else -> break
	od;
	done++
}

/* When all are done, every entry was new once and is in one half. */
proctype judge() {
	byte entry;

	done == WORKERS;
	d_step {
		for (entry : 1 .. ENTRIES) {
			assert(news[entry] == 1);
			assert((first[0] == entry) + (second[0] == entry) + (first[1] == entry) + (second[1] == entry) == 1)
		}
	}
}

init {
	byte me;

	atomic {
		for (me : 0 .. WORKERS - 1) {
			run worker(me % ENTRIES + 1)
		}
		run judge()
	}
}
