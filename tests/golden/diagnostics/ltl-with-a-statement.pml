byte x;

active proctype p() {
    x = 1
}

ltl safe { [] (x = 1) }
ltl choice { [] (x > 0 -> x < 2 : x == 0) }
