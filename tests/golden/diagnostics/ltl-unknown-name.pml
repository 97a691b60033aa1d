bool ready;

active proctype server() {
wait:
    ready = true
}

ltl answer { [] (redy -> <> served) }
ltl waits { <> server@wiat }
