/*
 * The stable marriage problem, solved by messages: a man proposes to one woman after the other, in the order of his liking;
 * a woman keeps the best man so far and turns the others down. All men like woman 0 best, then 1, 2, ...; all women like man 0
 * best, so that as many proposals are made as ever can be. Only one matching is stable: man i with woman i.
 * ImProviso, tables 1 and 2 (2, 3 and 5 couples).
 *
 *   prom check -D N=5 examples/papers/stable_marriage.pml --reduction twophase
 */
#ifndef N
#define N 4
#endif

mtype = { no };
chan woman[N] = [N] of { byte };		/* proposals: the number of the man */
chan man[N] = [1] of { mtype };			/* answers */

proctype Man(byte me; chan answer) {
	byte choice;
	xr answer;
	do
	:: woman[choice]!me;
end:	   answer?no;
	   choice++;
	   assert(choice <= me)			/* nobody is turned down by the woman he is to get */
	od
}

proctype Woman(byte me; chan proposals) {
	byte suitor, partner;
	xr proposals;
end_alone:
	proposals?partner;
	assert(partner >= me);			/* nobody gets more than her due */
end:	do
	:: proposals?suitor ->
		assert(suitor >= me);
		if
		:: suitor < partner ->
			man[partner]!no;
			partner = suitor
		:: else ->
			man[suitor]!no
		fi;
		suitor = 0
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Man(i, man[i]);
			run Woman(i, woman[i])
		}
	}
}
