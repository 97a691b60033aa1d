byte turn;

active proctype p(byte mine) provided (turn == mine) {
    turn++
}
