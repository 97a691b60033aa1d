/*
 * Leader election in a ring: everybody sends his number round; larger numbers swallow smaller ones.
 * E. Chang, R. Roberts, An improved algorithm for decentralized extrema-finding in circular
 * configurations of processes, 1979.
 *
 * Holds (8,393 states): exactly one process becomes leader, it is the one with the largest number, and all
 * others learn who it is. The numbers are dealt in every possible order.
 * Breaks (assertion), with -D BROKEN: two processes have the largest number. Each takes the other's
 * message for its own.
 *
 *   prom check examples/leader_election.pml
 *   prom check -D BROKEN examples/leader_election.pml
 */
#define N 4
#ifdef BROKEN
#define LARGEST (N - 1)
#else
#define LARGEST N
#endif

mtype = { candidate, elected };
chan link[N] = [2] of { mtype, byte };	/* link[i] leads to process i */
byte leaders;

proctype Process(byte place; byte number) {
	byte other;
	link[(place + 1) % N]!candidate(number);
	do
	:: link[place]?candidate(other) ->
		if
		:: other > number -> link[(place + 1) % N]!candidate(other)
		:: other < number	/* swallowed */
		:: other == number ->
			leaders++;
			assert(leaders == 1);
			assert(number == LARGEST);
			link[(place + 1) % N]!elected(number)
		fi
	:: link[place]?elected(other) ->
		assert(other == LARGEST);
		if
		:: other == number	/* it has been round */
		:: else -> link[(place + 1) % N]!elected(other)
		fi;
		break
	od
}

init {
	byte place, number;
	bool dealt[N + 1];
	atomic {
		for (place : 0 .. N - 1) {
			if
			:: !dealt[1] -> number = 1
			:: !dealt[2] -> number = 2
			:: !dealt[3] -> number = 3
			:: !dealt[4] -> number = 4
			fi;
			dealt[number] = true;
			run Process(place, (number > LARGEST -> LARGEST : number))
		}
	}
}
