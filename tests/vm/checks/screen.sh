#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The live screen in a terminal, on a host whose clocksource is bad, and then
# is not.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

mkdir -p /dev/pts
mount -t devpts devpts /dev/pts

# terminal COMMAND [ARG…]: of a tmux server of our own.
terminal() {
	tmux -S /tmp/tmux -f /dev/null "$@"
}

# The header's line on the clocksource, with its colours.
line() {
	terminal capture-pane -e -p | grep -m 1 clocksource
}

# shows NAME PATTERN: waits until the screen shows a line that matches.
shows() {
	tries=0
	until terminal capture-pane -e -p > out && grep -q -e "$2" out; do
		tries=$((tries + 1))
		if [ $tries -ge 120 ]; then
			fail "$1" < out
			return 1
		fi
		sleep 0.1
	done
	pass "$1"
}

red=$(printf '\033\\[31m')
clocksource hpet || exit
readers_start 1
TERM=xterm-256color terminal new-session -d -x 100 -y 30 "$CLOCKTOP -d 0.5" || exit
shows "hpet: the screen names the clocksource in red" "^clocksource .*hpet.*${red}not readable in user space"
shows "hpet: the screen has the cause of the process" " calls .*MONOTONIC.* clocksource"
terminal send-keys Enter
shows "hpet: Enter opens the diagnosis" "echo tsc > "
terminal send-keys Escape
shows "hpet: Esc goes back to the table" "COMMAND.*CLOCK.*RATE"
clocksource tsc || exit
shows "tsc: the screen follows" "^clocksource .*read in user space"
line > out
match "tsc: nothing is red" "!$red"
readers_stop
terminal send-keys q
tries=0
while terminal has-session 2> /dev/null && [ $tries -lt 300 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
if terminal has-session 2> /dev/null; then
	terminal capture-pane -p | fail "q ends it"
	terminal kill-server
else
	pass "q ends it"
fi
# Something was counted here: the rows above were there.
echo 1 > "$COUNTED"
