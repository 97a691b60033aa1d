mtype:colour = { red, green };
mtype:fruit = { apple, pear };
mtype:colour c = apple;
chan q = [1] of { mtype:fruit };

active proctype p() {
    c = pear;
    q!red;
    q?green
}
