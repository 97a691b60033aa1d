byte x;

active proctype p() {
    x = 1
}

ltl safe { [] (x == 0 || }
ltl live { <> x == 1 }
ltl next { G (x < 2) }
ltl open { [] (x < 2)
