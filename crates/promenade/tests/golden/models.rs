//! Small models: a file's name and its text.

pub type Source = (&'static str, &'static str);

/// One statement is never reached.
pub const HOLDS: Source = (
    "holds.pml",
    "\
byte x;
active proctype P() {
	x = 1;
	if
	:: x == 0 -> x = 7
	:: else
	fi
}
",
);

/// The same with a property that needs more than safety checking.
pub const TEMPORAL: Source = (
    "temporal.pml",
    "\
byte x;
active proctype P() { x = 1 }
ltl sooner_or_later { <> (x == 7) }
",
);

/// A rendezvous, a channel, a process that is created, an assertion that fails.
pub const VIOLATED: Source = (
    "violated.pml",
    "\
mtype = { ack };
chan q = [0] of { byte };
chan log = [2] of { mtype, byte };
proctype Sender(byte n) {
	atomic { log!ack,n; q!n }
}
active proctype Receiver() {
	byte got;
	run Sender(2);
	q?got;
	assert(got == 1)
}
",
);

/// A lamp that is switched on and off for ever, a process that ends, and formulas about them.
pub const LASSO: Source = (
    "lasso.pml",
    "\
mtype = { on, off };
mtype lamp = off;
byte ready;
active proctype Switch() {
	ready++;
	do
	:: lamp == off -> lamp = on
	:: lamp == on -> lamp = off
	od
}
active proctype Helper() { ready++ }
ltl stays_on { <> [] (lamp == on) }
ltl both_ready { [] (ready == 3 -> <> (lamp == on)) }
ltl one_ready { [] (ready < 2) }
never darkness { do :: lamp == off :: lamp == on -> break od; accept: do :: ready == 2 od }
",
);

/// A lift that can get stuck, and what is still possible and what is inevitable then.
pub const BRANCHING: Source = (
    "lift.pml",
    "\
byte floor;
bool stuck;
active proctype Lift() {
	do
	:: !stuck && floor < 2 -> floor++
	:: !stuck && floor > 0 -> floor--
	:: floor == 1 -> stuck = true
	od
}
ctl returns { AG EF (floor == 0) }
ctl arrives { AG (floor == 1 -> AF (floor == 2)) }
ctl can_return { EF (floor == 2 && EF (floor == 0)) }
ctl high { EF (floor == 3) }
ctl both { AG (AF (floor == 0) || AF (floor == 2)) }
ctl divides { AG (2 / floor > 0) }
",
);

/// An index that runs out of its array, and a place where everybody can get stuck.
pub const FAULTY: Source = (
    "faulty.pml",
    "\
byte a[3];
byte i;
active [2] proctype P() {
	do
	:: a[i] = 1; i = i + 1
	:: i > 1; (i == 0)
	od
}
",
);

/// An assertion that fails after many steps.
pub const COUNTER: Source = (
    "counter.pml",
    "\
byte n;
active proctype P() {
	do
	:: n++; assert(n != 99)
	od
}
",
);
