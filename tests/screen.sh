#!/usr/bin/env bash
# A person at the screen of `prom simulate --interactive`, played through tmux: finds the deadlock of the philosophers by hand, goes back and
# forth, jumps, filters. Prints what the screen shows at the deadlock.
set -euo pipefail
cd "$(dirname "$0")/.."

prom=${PROM:-target/release/prom}
command -v tmux > /dev/null || { echo "skipped: no tmux"; exit 0; }
[ -x "$prom" ] || { echo "skipped: $prom is not built"; exit 0; }

socket=prom-screen-$$
t() { tmux -L "$socket" "$@"; }
trap 't kill-server 2> /dev/null || true' EXIT
t new-session -d -s s -x 110 -y 40 "$prom simulate -D BROKEN examples/philosophers.pml --interactive --seed 1"

shown() { t capture-pane -p -t s; }
expect() { # text what: waits until the screen shows it
    for _ in $(seq 60); do
        if shown | grep -qF -- "$1"; then return; fi
        sleep 0.1
    done
    echo "$2: \`$1\` is not shown"
    shown
    exit 1
}
absent() { if shown | grep -qF -- "$1"; then echo "$2: \`$1\` is shown"; shown; exit 1; fi; }

expect "after step 0" "the start"
# Each philosopher takes the fork to his left: always the first in the list who has none.
for k in 1 2 3 4 5; do
    t send-keys -t s "$(shown | grep -oE '[0-9] Philosopher\([0-9]\):18 !taken\[first\]' | head -1 | cut -c1)"
    expect "after step $((3 * k - 2))" "philosopher $k begins"
    t send-keys -t s 1
    expect "after step $((3 * k - 1))" "philosopher $k takes"
    t send-keys -t s 1
    expect "after step $((3 * k))" "philosopher $k has"
done
expect "invalid end state" "the deadlock"
[ "${1:-}" = capture ] && shown
t send-keys -t s Left
expect "after step 14" "one back"
absent "invalid end state" "one back"
t send-keys -t s Left Left
expect "after step 12" "three back"
expect "!taken[second]" "three back"
t send-keys -t s Right Right Right
expect "after step 15" "forth again"
expect "invalid end state" "forth again"
t send-keys -t s g 6 Enter
expect "after step 6" "a jump"
t send-keys -t s / h o l d e r Enter
expect "more are hidden by the filter" "a filter"
expect "holder[0]" "a filter"
absent "taken[0] = " "a filter"
t send-keys -t s Escape
expect "taken[0] = " "no filter"
t send-keys -t s End
expect "after step 15" "to the end"
t send-keys -t s m
expect "Messages" "messages"
t send-keys -t s '?'
expect "q" "help"
t send-keys -t s Escape
sleep 0.3
t send-keys -t s q
for _ in $(seq 60); do
    t has-session -t s 2> /dev/null || break
    sleep 0.1
done
if t has-session -t s 2> /dev/null; then echo "the screen does not end"; shown; exit 1; fi

# Colours, unless they are not wanted. The lines where processes are have one.
coloured() { # environment: how many lines have a colour
    t new-session -d -s s -x 110 -y 40 "$1 $prom simulate -D BROKEN examples/philosophers.pml --interactive --seed 1"
    expect "after step 0" "the start"
    t capture-pane -e -p -t s | grep -c $'\e\\[38;5;' || true
    t kill-session -t s
}
[ "$(coloured NO_COLOR=)" -gt 0 ] || { echo "no colours"; exit 1; }
[ "$(coloured NO_COLOR=1)" = 0 ] || { echo "colours in spite of NO_COLOR"; exit 1; }
echo "screen: a deadlock was found by hand, back and forth, jump, filter, help, end; NO_COLOR is heard"
