active proctype p() {
    do
    :: np_ -> skip
    :: else -> break
    od
}
