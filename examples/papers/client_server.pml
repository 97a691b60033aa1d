/*
 * N clients and N servers. A client picks a server; a service takes two round trips and some work on either side.
 * Each pair has a channel of its own in each direction. Twophase, table 1 (SC3, SC4); PV, figures 6 and 8 (N = 2, 3).
 *
 *   prom check -D N=3 examples/papers/client_server.pml --reduction twophase
 */
#ifndef N
#define N 2
#endif

mtype = { ask, offer, order, goods };
chan up[N * N] = [1] of { mtype, byte };	/* from client c to server s: up[c * N + s] */
chan down[N * N] = [1] of { mtype, byte };	/* back again */

inline visit(server, to, from) {
	to!ask(me);
	from?offer(price);
	assert(price == me + server);
	price++;				/* haggle */
	to!order(price);
	from?goods(got);
	assert(got == price);
	price = 0; got = 0
}

proctype Client(byte me; chan to0, from0, to1, from1, to2, from2, to3, from3) {
	byte price, got;
	xs to0; xr from0; xs to1; xr from1; xs to2; xr from2; xs to3; xr from3;
	do
	:: true -> visit(0, to0, from0)
	:: true -> visit(1, to1, from1)
#if N > 2
	:: true -> visit(2, to2, from2)
#endif
#if N > 3
	:: true -> visit(3, to3, from3)
#endif
	od
}

inline serve(from, to) {
	price = price + me;
	to!offer(price);
	from?order(paid);
	assert(paid == price + 1);
	to!goods(paid);
	price = 0; paid = 0
}

proctype Server(byte me; chan from0, to0, from1, to1, from2, to2, from3, to3) {
	byte price, paid;
	xr from0; xs to0; xr from1; xs to1; xr from2; xs to2; xr from3; xs to3;
end:	do
	:: from0?ask(price) -> serve(from0, to0)
	:: from1?ask(price) -> serve(from1, to1)
#if N > 2
	:: from2?ask(price) -> serve(from2, to2)
#endif
#if N > 3
	:: from3?ask(price) -> serve(from3, to3)
#endif
	od
}

#define pair(c, s) up[((c) % N) * N + (s) % N], down[((c) % N) * N + (s) % N]	/* those that are too many are not used */

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Client(i, pair(i, 0), pair(i, 1), pair(i, 2), pair(i, 3));
			run Server(i, pair(0, i), pair(1, i), pair(2, i), pair(3, i))
		}
	}
}
