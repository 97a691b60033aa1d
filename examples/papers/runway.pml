/*
 * Two processors with caches on a bus like HP's Runway, much simplified: requests and answers are separate, all caches see
 * all requests in the same order, and each tells the memory controller, when it comes to it, whether it had the line.
 * Test for read order and write order (W. W. Collier): one processor writes 1, 2, ... K to address 0 and to address 1, in this order;
 * the other reads address 1, then 0, again and again. It never sees anything older than before, nor 0 behind 1.
 * With -D WA, for the atomicity of writes: each writes 1, 2, ... K to its own address and reads first that, then the other one. Not both
 * see what they wrote themselves and not yet what the other has written.
 * With -D UPO, for the order of a single processor: both write to address 0, each its own K values, and read it. Each sees what it wrote last, or something of the other's.
 * Twophase, table 1 (ROWO, WA, UPO); PV, figures 6 and 8 (rowo-1).
 *
 *   prom check examples/papers/runway.pml --reduction twophase
 */
#ifndef K
#define K 2
#endif

mtype = { load, store, read, own, mine, other, had, not, invalid, shared, private };
chan cpu[2] = [1] of { mtype, bit, byte };	/* from a processor to its cache */
chan result[2] = [1] of { byte };		/* back again */
chan request[2] = [1] of { mtype, bit };	/* from a cache to the bus */
chan snoop[2] = [2] of { mtype, mtype, bit };	/* from the bus to a cache: whose request, what, which address */
chan answer[2] = [2] of { mtype, byte };	/* from a cache to the memory controller: had it, and changed it */
chan order[1] = [2] of { bit, bit };		/* from the bus to the memory controller: who, which address */
chan data[2] = [1] of { byte };			/* from the memory controller to a cache */

#if defined(WA)
#define NOT_YET 255
#define seen(who, round) saw[(who) * (K + 1) + round]
byte saw[2 * (K + 1)] = NOT_YET;		/* what a processor saw of the other one in a round */

proctype Each(chan to, from; bit me) {
	byte i = 1, j, value;
	xs to; xr from;
	do
	:: i <= K ->
		to!store(me, i); from?_;
		to!load(me, 0); from?value;
		assert(value == i);
		to!load(1 - me, 0); from?value;
		d_step {
			seen(me, i) = value;
			for (j : 1 .. K) { assert(!(seen(me, i) < j && seen(1 - me, j) < i)) }
			j = 0; value = 0;
			i++
		}
	:: else -> break
	od
}
#elif defined(UPO)
proctype Each(chan to, from; bit me) {
	byte i = 1, value;
	xs to; xr from;
	do
	:: i <= K ->
		to!store(0, me * K + i); from?_;
		to!load(0, 0); from?value;
		assert(value == me * K + i || (me == 0 -> value > K : value > 0 && value <= K));
		d_step { value = 0; i++ }
	:: else -> break
	od
}
#else
proctype Writer(chan to, from) {
	byte i = 1;
	xs to; xr from;
	do
	:: i <= K ->
		to!store(0, i); from?_;
		to!store(1, i); from?_;
		i++
	:: else -> break
	od
}

proctype Reader(chan to, from) {
	byte first, second, last;
	xs to; xr from;
	do
	:: to!load(1, 0); from?first;
	   assert(first >= last);
	   to!load(0, 0); from?second;
	   assert(second >= first);
	   d_step { last = first; first = 0; second = 0 }
	od
}
#endif

proctype Cache(chan from, to, ask, see, tell, get) {
	mtype line[2] = invalid, whose, what, wish;
	byte copy[2], new;
	bit address;
	xr from; xs to; xs ask; xr see; xs tell; xr get;
end:	do
	:: from?wish(address, new) ->
		if
		:: wish == load && line[address] != invalid -> to!copy[address]
		:: wish == store && line[address] == private -> copy[address] = new; to!0
		:: wish == load && line[address] == invalid -> ask!read(address)
		:: wish == store && line[address] != private -> ask!own(address)
		fi;
		address = 0
	:: see?whose(what, address) ->
		if
		:: whose == mine ->
			get?copy[address];
			if
			:: what == read -> line[address] = shared; to!copy[address]
			:: what == own -> d_step { line[address] = private; copy[address] = new }; to!0
			fi
		:: whose == other ->
			if
			:: line[address] == private -> tell!had(copy[address])
			:: else -> tell!not(0)
			fi;
			if
			:: what == read && line[address] != invalid -> line[address] = shared
			:: what == own -> d_step { line[address] = invalid; copy[address] = 0 }
			:: else
			fi
		fi;
		d_step { whose = 0; what = 0; address = 0 }
	:: line[0] == shared -> d_step { line[0] = invalid; copy[0] = 0 }	/* to make room */
	:: line[1] == shared -> d_step { line[1] = invalid; copy[1] = 0 }
	od
}

proctype Bus(chan ask0, ask1, see0, see1, queue) {
	mtype what;
	bit address;
	xr ask0; xr ask1; xs see0; xs see1; xs queue;
end:	do
	:: ask0?what(address) -> queue!0(address); see0!mine(what, address); see1!other(what, address)
	:: ask1?what(address) -> queue!1(address); see1!mine(what, address); see0!other(what, address)
	od
}

inline fetch(tell, put) {
	tell?had_it(value);
	if
	:: had_it == had -> memory[address] = value
	:: else
	fi;
	put!memory[address];
	d_step { had_it = 0; value = 0 }
}

proctype Memory(chan queue, tell0, tell1, put0, put1) {
	byte memory[2], value;
	mtype had_it;
	bit who, address;
	xr queue; xr tell0; xr tell1; xs put0; xs put1;
end:	do
	:: queue?who(address) ->
		if
		:: who == 0 -> fetch(tell1, put0)
		:: who == 1 -> fetch(tell0, put1)
		fi
	od
}

init {
	atomic {
		run Memory(order[0], answer[0], answer[1], data[0], data[1]);
		run Bus(request[0], request[1], snoop[0], snoop[1], order[0]);
		run Cache(cpu[0], result[0], request[0], snoop[0], answer[0], data[0]);
		run Cache(cpu[1], result[1], request[1], snoop[1], answer[1], data[1]);
#if defined(WA) || defined(UPO)
		run Each(cpu[0], result[0], 0);
		run Each(cpu[1], result[1], 1)
#else
		run Writer(cpu[0], result[0]);
		run Reader(cpu[1], result[1])
#endif
	}
}
