bool ready;

active proctype server() {
wait:
    ready = true
}

ctl answer { AG (redy -> AF served) }
ctl waits { EF server@wiat }
ctl bare { AG }
fairness { reddy }
