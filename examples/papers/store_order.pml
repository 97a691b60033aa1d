/*
 * Two processors that share two addresses, A and B, and a memory that may be late. Which orders of loads and stores can a program rely on?
 *
 *   MEMORY  SC    every store is done at once
 *           TSO   total store order: the stores of a processor wait in a queue; its own loads look there first
 *           PSO   partial store order: one queue for each address
 *           PRAM  pipelined: each processor has a copy of the memory, and its stores travel to the other copy one after the other
 *
 *   TEST    ORDER     one stores to A, then to B, the other loads B, then A: nothing older is seen, and nothing of A older than of B
 *           PROGRAM   each stores to its own address and loads the other one: one of them is late enough to see a store
 *           ATOMIC    the same, but each loads its own address in between: who sees a store must not be the only one who does
 *           SAME      both store to A and load it: the last store of one's own is seen, or one of the other processor
 *           COHERENT  both store to A and load it twice: they do not see the two stores in different orders
 *
 *             SC     TSO    PSO    PRAM
 *   ORDER     holds  holds  fails  holds
 *   PROGRAM   holds  fails  fails  fails
 *   ATOMIC    holds  fails  fails  fails
 *   SAME      holds  holds  holds  holds
 *   COHERENT  holds  holds  holds  fails
 *
 * PV, figure 6 (partial and total store order); the rules that are tested are of W. W. Collier, Reasoning about parallel architectures, 1992.
 *
 *   prom check examples/papers/store_order.pml -D MEMORY=TSO -D TEST=ATOMIC
 */
#define SC 1
#define TSO 2
#define PSO 3
#define PRAM 4

#define ORDER 1
#define PROGRAM 2
#define ATOMIC 3
#define SAME 4
#define COHERENT 5

#ifndef MEMORY
#define MEMORY TSO
#endif
#ifndef TEST
#define TEST ORDER
#endif
#ifndef K
#define K 2		/* rounds of ORDER and SAME */
#endif

#define A 0
#define B 1

/* Loads and stores of processor _pid, which is 0 or 1. */

#if MEMORY == SC
byte memory[2];
#define store(address, value) memory[address] = value
#define load(address, value) value = memory[address]
#endif

#if MEMORY == TSO || MEMORY == PSO
byte memory[2];
byte waiting[4];	/* stores of a processor to an address that are not done yet, */
byte newest[4];		/* and the value of the last of them */
#define place(address) (2 * _pid + address)
#if MEMORY == TSO
chan queue[2] = [2 * K] of { bit, byte };
#define line(address) queue[_pid]
#else
chan queue[4] = [K] of { bit, byte };
#define line(address) queue[place(address)]
#endif
#define store(address, value) \
	d_step { nfull(line(address)) -> line(address)!address, value; waiting[place(address)]++; newest[place(address)] = value }
#define load(address, value) value = (waiting[place(address)] > 0 -> newest[place(address)] : memory[address])
#endif

#if MEMORY == PRAM
byte memory[4];
chan line[2] = [2 * K] of { bit, byte };
#define store(address, value) d_step { nfull(line[_pid]) -> line[_pid]!address, value; memory[2 * _pid + address] = value }
#define load(address, value) value = memory[2 * _pid + address]
#endif

/* The two processors. */

#if TEST == ORDER
active proctype One() {
	byte i = 1;
	do
	:: i <= K -> store(A, i); store(B, i); i++
	:: i > K -> break
	od
}

active proctype Other() {
	byte a, b, last_a, last_b;
	do
	:: last_b < K ->
		load(B, b); assert(b >= last_b);
		load(A, a); assert(a >= last_a && a >= b);
		d_step { last_a = a; last_b = b; a = 0; b = 0 }
	:: last_b == K -> break
	od
}
#endif

#if TEST == PROGRAM || TEST == ATOMIC
byte seen[2], done;

inline finish() {
	d_step { done++; assert(done < 2 || seen[0] + seen[1] > 0) }
}

active proctype One() {
	store(A, 1);
#if TEST == ATOMIC
	byte own;
	load(A, own); assert(own == 1);
#endif
	load(B, seen[0]);
	finish()
}

active proctype Other() {
	store(B, 1);
#if TEST == ATOMIC
	byte own;
	load(B, own); assert(own == 1);
#endif
	load(A, seen[1]);
	finish()
}
#endif

#if TEST == SAME
active [2] proctype Each() {
	byte i = 1, value;
	do
	:: i <= K ->
		store(A, _pid * K + i);
		load(A, value);
		assert(value == _pid * K + i || (_pid == 0 -> value > K : value > 0 && value <= K));
		d_step { i++; value = 0 }
	:: i > K -> break
	od
}
#endif

#if TEST == COHERENT
byte first[2], second[2], done;

active [2] proctype Each() {
	store(A, _pid + 1);
	load(A, first[_pid]);
	load(A, second[_pid]);
	d_step {
		done++;
		assert(done < 2 || !(first[0] == 1 && second[0] == 2 && first[1] == 2 && second[1] == 1))
	}
}
#endif

/* What is late. */

#if MEMORY == TSO || MEMORY == PSO
active [2] proctype Buffer() {
	byte who = _pid - 2, value;
#if MEMORY == TSO
	bit address;
end:	do
	:: d_step { queue[who]?address, value; memory[address] = value; waiting[2 * who + address]--; address = 0; value = 0 }
	od
#else
end:	do
	:: d_step { queue[2 * who]?_, value; memory[A] = value; waiting[2 * who]--; value = 0 }
	:: d_step { queue[2 * who + 1]?_, value; memory[B] = value; waiting[2 * who + 1]--; value = 0 }
	od
#endif
}
#endif

#if MEMORY == PRAM
active [2] proctype Wire() {
	byte from = _pid - 2, value;
	bit address;
end:	do
	:: d_step { line[from]?address, value; memory[2 * (1 - from) + address] = value; address = 0; value = 0 }
	od
}
#endif
