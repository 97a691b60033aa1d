typedef Nothing { };

active proctype p() {
    skip
}
