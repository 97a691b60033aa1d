typedef Node {
    byte value;
    Node next
};
Node list;

active proctype p() {
    list.value = 1
}
