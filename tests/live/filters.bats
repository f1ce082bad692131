#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# -p -u -c -e -H -g --min-rate: what passes is counted exactly, and the control
# is that what is left out is at work in the same run.

load helper

# Three kinds of processes at work at once, two of each.  $NAME is in all names.
NAME=$$
export NAME
SWARM='for i in 1 2; do
	"$WORKLOADS/calls" -n "red$NAME" 100 gettime 2 raw &
	"$WORKLOADS/calls" -n "green$NAME" 200 getres 2 raw &
	setpriv --reuid=4242 --regid=4242 --clear-groups \
		"$WORKLOADS/calls" -n "blue$NAME" -t 2 300 gettimeofday - raw &
done
wait'

@test "without a filter all are there" {
	stat_csv -a -- sh -c "$SWARM"
	equal "$(sums comm syscall user | grep -F "$NAME ")" "\
blue$NAME gettimeofday 4242 1200 0
green$NAME clock_getres root 400 0
red$NAME clock_gettime root 200 0"
}

@test "-p: a process and what it forks, nothing else" {
	start_waiting -f 30 -t 2 100 gettime 2 raw
	stat_csv -p "$WAITING" -- sh -c "$GO; $SWARM"
	equal "$(sums syscall clock via)" "clock_gettime $CPU direct 6000 0"
	equal "$(sums pid | wc -l)" 30
}

@test "-p: several processes" {
	start_waiting 500 gettime 2 raw
	start_waiting 600 gettime 3 raw
	stat_csv "-p${WAITING/ /,}" -- sh -c "$GO; $SWARM"
	equal "$(sums clock)" "$CPU 500 0
CLOCK_THREAD_CPUTIME_ID 600 0"
	# shellcheck disable=SC2086 # two words
	equal "$(sums pid | sort -n)" "$(printf '%s 500 0\n%s 600 0\n' $WAITING | sort -n)"
}

@test "-u: by name, by number, several" {
	stat_csv -a -u 4242 -- sh -c "$SWARM"
	equal "$(sums comm syscall)" "blue$NAME gettimeofday 1200 0"
	stat_csv -a -u root -c "$NAME" -- sh -c "$SWARM"
	equal "$(sums comm)" "green$NAME 400 0
red$NAME 200 0"
	stat_csv -a -u 4242,0 -c "$NAME" -- sh -c "$SWARM"
	equal "$(sums comm | wc -l)" 3
}

@test "-c: an extended regular expression" {
	stat_csv -a -c "^(red|gre+n)$NAME\$" -- sh -c "$SWARM"
	equal "$(sums comm)" "green$NAME 400 0
red$NAME 200 0"
	stat_csv -a -c "^re$NAME" -- sh -c "$SWARM"
	equal "$(sums comm)" ''
}

@test "-e: these clock syscalls" {
	stat_csv -e clock_getres,gettimeofday -- sh -c "$SWARM"
	equal "$(sums comm syscall)" "blue$NAME gettimeofday 1200 0
green$NAME clock_getres 400 0"
	stat_csv -e clock_gettime -- sh -c "$SWARM"
	equal "$(sums comm syscall)" "red$NAME clock_gettime 200 0"
}

@test "-H: a record for each thread" {
	stat_csv -H -- sh -c "$SWARM"
	equal "$(sums comm tid | grep -c "^blue$NAME [1-9][0-9]* 300 0\$")" 4
	equal "$(sums comm | grep -F blue)" "blue$NAME 1200 0"
	stat_csv -- sh -c "$SWARM"
	equal "$(sums tid | wc -l)" 1
}

@test "filters joined" {
	stat_csv -a -He gettimeofday -u 4242 -c "$NAME" -- sh -c "$SWARM"
	equal "$(sums comm tid | grep -c "^blue$NAME [1-9][0-9]* 300 0\$")" 4
	stat_csv -a -e clock_gettime -u 4242 -c "$NAME" -- sh -c "$SWARM"
	equal "$(sums comm)" ''
}

@test "the host's totals are the host's, whatever is filtered" {
	stat_csv -a -c '^no such name$' -- "$WORKLOADS/calls" 50000 gettime 2 raw
	equal "$(sums comm)" ''
	[ "$(sums)" -ge 50000 ]
}

# The row of calls in batch mode, on the processes in $WAITING, comes to match.
batch_shows() {
	local pattern=$1
	shift
	beside "$CLOCKTOP" -b -d 0.2 -p "$WAITING" --csv "$CSV" "$@" >"$BATS_TEST_TMPDIR/batch"
	eventually [ -s "$CSV" ]
	sh -c "$GO"
	eventually grep -qE "$pattern" "$BATS_TEST_TMPDIR/batch"
}

@test "-g command in batch mode: one row for all processes of a name" {
	start_waiting -n "red$NAME" -f 30 -t 2 100 gettime 2 raw
	batch_shows "^ *[0-9]+ root +red$NAME .* 6,000 " -g command
	equal "$(sums comm)" "red$NAME 6000 0"
}

@test "-H in batch mode: a row for each thread" {
	start_waiting -n "red$NAME" -t 2 150000 gettime 2 raw
	batch_shows "^ *[0-9]+ .*red$NAME .* 150,000 " -H
	equal "$(sums tid | cut -d ' ' -f 2,3)" $'150000 0\n150000 0'
}
