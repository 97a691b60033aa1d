byte x;
active proctype P() { x = 1 }
ltl later { <> (x == 1) }
ltl later { [] (x < 2) }
