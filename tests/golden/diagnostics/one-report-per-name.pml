active proctype p() {
    counter = 1;
    counter = counter + 1;
    assert(counter == 2)
}
