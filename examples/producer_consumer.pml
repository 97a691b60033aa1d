/*
 * Producers and consumers share a ring buffer.
 *
 * Holds (49,664 states): no item is overwritten before it is read, none is read twice, and everybody
 * finishes. Room and items are counted by semaphores, the ring itself is protected by a lock.
 * Breaks (assertion), with -D BROKEN: a producer only looks whether there is room, and takes it later.
 * Two producers may see the same last place.
 *
 *   prom check examples/producer_consumer.pml
 *   prom check -D BROKEN examples/producer_consumer.pml
 */
#define SIZE 2
#define ITEMS 2

byte room = SIZE, items;	/* two semaphores */
bool locked;
byte ring[SIZE], head, tail;
bool full_[SIZE];		/* which places hold an item */

inline down(semaphore) { atomic { semaphore > 0 -> semaphore-- } }
inline up(semaphore) { semaphore++ }
inline acquire() { atomic { !locked -> locked = true } }
inline release() { locked = false }

active [2] proctype Producer() {
	byte i;
	for (i : 1 .. ITEMS) {
#ifdef BROKEN
		room > 0;
		room--;
#else
		down(room);
#endif
		acquire();
		assert(!full_[tail]);
		d_step { ring[tail] = i; full_[tail] = true; tail = (tail + 1) % SIZE };
		release();
		up(items)
	}
}

active [2] proctype Consumer() {
	byte i, got;
	for (i : 1 .. ITEMS) {
		down(items);
		acquire();
		assert(full_[head]);
		d_step { got = ring[head]; full_[head] = false; head = (head + 1) % SIZE };
		release();
		assert(got > 0 && got <= ITEMS);
		got = 0;
		up(room)
	}
}
