/*
 * The alternating bit protocol: reliable transfer over wires that lose messages.
 * K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, A note on reliable full-duplex transmission over
 * half-duplex links, 1969.
 *
 * Holds (1,022 states): everything arrives once and in order. The sender sends 0, 1, 2, 0, 1, 2, …; the
 * receiver knows which comes next.
 * Breaks (assertion), with -D BROKEN: the receiver does not look at the bit. It takes a message that
 * was sent again for a new one.
 *
 *   prom check examples/alternating_bit.pml
 *   prom check -D BROKEN examples/alternating_bit.pml
 */
#define NEXT(n) ((n + 1) % 3)

chan forth = [1] of { byte, bit };
chan back = [1] of { bit };

active proctype Sender() {
	byte data;
	bit b, answer;
	do
	::	if
		:: forth!data, b
		:: skip			/* the wire loses it */
		fi;
		if
		:: back?answer ->
			if
			:: answer == b ->
				b = 1 - b;
				data = NEXT(data)
			:: else		/* an answer to something older */
			fi
		:: true			/* nothing came so far: send it again */
		fi
	od
}

active proctype Receiver() {
	byte data, expected;
	bit b, wanted;
end:
	do
	:: forth?data, b ->
#ifndef BROKEN
		if
		:: b == wanted ->
#endif
			assert(data == expected);
			expected = NEXT(expected);
#ifndef BROKEN
			wanted = 1 - wanted
		:: else			/* I have that already */
		fi;
#endif
		if
		:: back!b
		:: skip			/* the wire loses the answer */
		fi
	od
}
