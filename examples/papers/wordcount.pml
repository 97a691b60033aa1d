/* Counts lines, words and characters (Software model checking, 2000, section 5). With `byte` counters the
   number of characters wraps around soon, and is less than the number of lines. */
#define newline 10
#define eof -1
#define anythingelse 0
chan stdin = [1] of { int };
int c;
byte nl, nw, nc;
bool inword = false;

active proctype wordcount()
{
    do
    :: stdin?c ->
        if
        :: c == eof -> break
        :: c == newline -> nc++; nl++
        :: else -> nc++
        fi;
        if
        :: c == ' ' || c == '\t' || c == '\n' -> inword = false
        :: else ->
            if
            :: !inword -> nw++; inword = true
            :: else
            fi
        fi
    od;
    printf("%d\t%d\t%d\n", nl, nw, nc)
}

active proctype input()
{
    do
    :: stdin!newline
    :: stdin!eof
    :: stdin!anythingelse
    od
}

ltl enough { [] (nc >= nl) }
