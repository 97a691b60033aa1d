typedef Block { int word[100000] };
chan q = [2] of { Block };
Block b;

active proctype p() {
    q!b;
    q?b;
    q!b
}
