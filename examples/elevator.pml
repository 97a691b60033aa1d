/*
 * An elevator: buttons on every floor, a cabin, a door with a motor of its own.
 *
 * Holds (11,804 states): the cabin never moves while the door is open, never leaves its shaft, and cabin and
 * door never wait for each other in vain.
 * Breaks (assertion), with -D BROKEN: the cabin starts as soon as it has told the door to close, not when
 * the door says that it is closed.
 *
 *   prom check examples/elevator.pml
 *   prom check -D BROKEN examples/elevator.pml
 */
#define FLOORS 4

mtype = { open, close, done };
chan door = [1] of { mtype };
chan answer = [1] of { mtype };
bool called[FLOORS], is_open;
byte floor;

active proctype Door() {
end:
	do
	:: door?open -> is_open = true; answer!done
	:: door?close -> is_open = false; answer!done
	od
}

active proctype Passengers() {
	byte f;
	do
	:: select (f : 0 .. 3);
		called[f] = true;
		f = 0
	od
}

inline move(by) {
	assert(!is_open);
	floor = floor + by;
	assert(floor < FLOORS)
}

inline serve() {
	door!open;
	answer?done;
	called[floor] = false;
	door!close;
#ifdef BROKEN
	skip
#else
	answer?done
#endif
}

active proctype Cabin() {
	bool up = true;
	do
	:: called[floor] -> serve()
	:: !called[floor] && (called[0] || called[1] || called[2] || called[3]) ->
		if
		:: floor == 0 -> up = true
		:: floor == FLOORS - 1 -> up = false
		:: else
		fi;
#ifdef BROKEN
		do
		:: answer?done		/* whenever it comes */
		:: empty(answer) -> break
		od;
#endif
		if
		:: up -> move(1)
		:: else -> move(-1)
		fi
	od
}
