/*
 * A connection by rendezvous: two peers connect, exchange numbered data, and hang up. Either may call,
 * either may hang up, at any time.
 *
 * Holds (270 states): the peers never wait for each other in vain, data arrive in order, and nobody talks
 * without a connection.
 * Breaks (invalid-end-state), with -D BROKEN: a peer that hangs up does not listen any more. If both do
 * so at once, each waits for the other to take its message.
 *
 *   prom check examples/handshake.pml
 *   prom check -D BROKEN examples/handshake.pml
 */
mtype = { call, data, hang_up };
chan to[2] = [0] of { mtype, bit };
bool connected[2];

active [2] proctype Peer() {
	bit other = 1 - _pid;
	bit next, expected, got;
idle:
	atomic { next = 0; expected = 0; got = 0 };
	if
	:: to[other]!call(0)
	:: to[_pid]?call(_)
	fi;
	connected[_pid] = true;
	do
	:: to[other]!data(next) -> next = 1 - next
	:: to[_pid]?data(got) -> assert(connected[_pid] && got == expected); expected = 1 - expected
	:: to[_pid]?hang_up(_) -> break
	:: true ->		/* I have enough */
		do
		:: to[other]!hang_up(0) -> goto over
#ifndef BROKEN
		:: to[_pid]?data(got) -> assert(got == expected); expected = 1 - expected
		:: to[_pid]?hang_up(_) -> goto over
#endif
		od
	od;
over:
	connected[_pid] = false;
	goto idle
}
