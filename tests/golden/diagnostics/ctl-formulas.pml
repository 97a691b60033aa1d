bool ready;
chan q = [1] of { byte };

active proctype server() {
wait:
    ready = true
}

ctl answer { AG (redy -> AF served) }
ctl waits { EF server@wiat }
ctl sum { AG ready + 1 }
ctl linear { [] ready }
ctl until { ready U !ready }
ctl next { X ready }
ctl round { A (ready U !ready) }
ctl tests { AG full(q) }
ctl open { E[ready U }
fairness { AF ready }
