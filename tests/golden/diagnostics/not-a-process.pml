byte worker;
inline helper() { skip }

proctype job() {
    skip
}

init {
    run worker();
    run helper();
    run jbo();
    worker@end
}
