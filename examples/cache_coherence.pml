/*
 * The MSI protocol: caches that watch a common bus keep their copies of a memory cell coherent.
 * A copy is Modified (the only one, newer than memory), Shared (equal to memory) or Invalid.
 *
 * Holds (18,081 states): a processor that reads always sees the value written last, and a modified copy is
 * the only copy.
 * Breaks (assertion), with -D BROKEN: a processor that already has a shared copy writes to it without
 * telling the others.
 *
 *   prom check examples/cache_coherence.pml
 *   prom check -D BROKEN examples/cache_coherence.pml
 */
#define N 3

mtype = { invalid, shared, modified };
mtype line[N] = invalid;
bit copy[N], memory, latest;
bool bus;

/* Asks all other caches, one after the other: write back what is modified, and forget it if told to. */
inline snoop(forget) {
	byte other;
	for (other : 0 .. N - 1) {
		d_step {
			if
			:: other != _pid && line[other] == modified ->
				memory = copy[other];
				line[other] = shared
			:: else
			fi;
			if
			:: other != _pid && forget -> line[other] = invalid
			:: else
			fi
		}
	}
	other = 0
}

inline fetch() { d_step { copy[_pid] = memory; line[_pid] = shared } }

inline write() {
	d_step {
		latest = 1 - latest;
		copy[_pid] = latest;
		line[_pid] = modified
	}
}

active [N] proctype Processor() {
	do
	:: line[_pid] != invalid ->		/* read a copy */
		assert(line[_pid] == invalid || copy[_pid] == latest)	/* it may have been lost meanwhile */
	:: atomic { line[_pid] == invalid && !bus -> bus = true };	/* read memory */
		snoop(false);
		fetch();
		bus = false
	:: atomic { line[_pid] != modified && !bus -> bus = true };	/* write */
#ifdef BROKEN
		if
		:: line[_pid] == shared
		:: else -> snoop(true)
		fi;
#else
		snoop(true);
#endif
		write();
		assert(line[(_pid + 1) % N] == invalid && line[(_pid + 2) % N] == invalid);
		bus = false
	:: atomic { line[_pid] == modified && !bus -> write() }		/* write again */
	:: atomic { line[_pid] == modified && !bus -> bus = true };	/* give way */
		d_step { memory = copy[_pid]; line[_pid] = invalid; copy[_pid] = 0 };
		bus = false
	od
}
