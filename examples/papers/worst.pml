/* Processes that never meet, choose once, and stop. PV, section 2.3. */
#ifndef N
#define N 7
#endif

active [N] proctype worst() {
	byte b = 1;
	if
	:: b = 2
	:: b = 3
	fi;
end:	0
}
