unsigned int u;
char c;
long l;
boolean b;
string s;
float f;

active proctype p() {
    c = 1
}
