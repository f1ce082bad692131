#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The verdicts of `check`: of this host as it is and as it looks without a vDSO,
# and of processes by their rate.  Other processes make clock syscalls too, so
# rates are compared with bounds that no host comes near.

load helper

# verdict STATUS COMMAND…: ends with that status, says nothing on standard
# error; $OUT holds what it printed.
verdict() {
	local expected=$1 got=0
	shift
	OUT=$("$@" 2>"$ERR") || got=$?
	printf '%s\n' "$OUT"
	equal "$(cat "$ERR")" ''
	equal "$got" "$expected"
}

ALWAYS='REALTIME_COARSE, MONOTONIC_COARSE'
COUNTERS='REALTIME, MONOTONIC, MONOTONIC_RAW'

# Whether this host's clocksource is read in user space, asked of strace: a
# program that reads the clock through libc makes no clock syscalls.
served_by_strace() {
	local strace=$BATS_TEST_TMPDIR/strace
	strace -o "$strace" -e trace=clock_gettime "$WORKLOADS/calls" 3 gettime 1 libc
	! grep -q CLOCK_MONOTONIC "$strace"
}

@test "this host, as strace sees it" {
	if served_by_strace; then
		verdict 0 "$CLOCKTOP" check
		[[ $OUT == "healthy: the vDSO serves $COUNTERS, $ALWAYS"*"(clocksource "*')' ]]
		[ "$(wc -l <<<"$OUT")" = 1 ]
	else
		verdict 1 "$CLOCKTOP" check
		[[ $OUT == "not healthy: clocksource "*" serves none of $COUNTERS"* ]]
	fi
}

@test "needs no privilege" {
	local root other user=(setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps=-all)
	chmod 711 "$BATS_TEST_TMPDIR"
	cp "$CLOCKTOP" "$BATS_TEST_TMPDIR/clocktop"
	root=$("$CLOCKTOP" check) || [ $? = 1 ]
	other=$("${user[@]}" "$BATS_TEST_TMPDIR/clocktop" check 2>"$ERR") || [ $? = 1 ]
	equal "$other" "$root"
	equal "$(cat "$ERR")" ''
	[ -n "$root" ]
}

@test "without a vDSO nothing is served, and no-vdso is why" {
	verdict 1 "$WORKLOADS/novdso" "$CLOCKTOP" check
	[[ $OUT == "not healthy: no-vdso: "*"$COUNTERS, $ALWAYS"*"gettimeofday"* ]]
}

@test "what it cannot ask it does not judge" {
	local got=0
	# A filter of its own is refused to a program in seccomp's way.
	"$WORKLOADS/noseccomp" "$CLOCKTOP" check >"$BATS_TEST_TMPDIR/stdout" 2>"$ERR" || got=$?
	equal "$got" 3
	equal "$(cat "$BATS_TEST_TMPDIR/stdout")" ''
	grep -q '^clocktop: cannot ask the vDSO' "$ERR"
	equal "$(wc -l <"$ERR")" 1
	"$WORKLOADS/noseccomp" "$CLOCKTOP" --version # the control: it runs there
}

@test "--max-rate: a line for each process over it" {
	local pid
	"$WORKLOADS/calls" -n 'busy worker' -u 100 1000000 gettime 1 raw &
	pid=$!
	verdict 1 "$CLOCKTOP" check --max-rate 0.5 --duration 0.5
	kill "$pid"
	wait "$pid" || true
	grep -qE "^not healthy: busy worker, pid $pid: [0-9,]+ clock syscalls/s, user root, mostly clock_gettime MONOTONIC, cause direct$" <<<"$OUT"
	equal "$(grep -c "pid $pid:" <<<"$OUT")" 1
}

@test "--max-rate: nobody is over it" {
	verdict 0 "$CLOCKTOP" check --max-rate 1000000000 --duration 0.3
	grep -qE '^healthy: no process made more than 1,000,000,000 clock syscalls/s in [0-9.]+ s' <<<"$OUT"
	equal "$(wc -l <<<"$OUT")" 1
}

@test "--max-rate: the busiest is named" {
	local pid
	"$WORKLOADS/calls" -n busiest -t 2 100000000 gettime 2 raw &
	pid=$!
	verdict 0 "$CLOCKTOP" check --max-rate 1000000000 --duration 0.5
	kill "$pid"
	wait "$pid" || true
	[[ $OUT == *"(busiest: "*", pid "*" clock syscalls/s)" ]]
}

@test "--max-rate needs privilege, and says so" {
	local got=0
	setpriv --bounding-set=-sys_admin,-bpf,-perfmon "$CLOCKTOP" check --max-rate 1 \
		>"$BATS_TEST_TMPDIR/stdout" 2>"$ERR" || got=$?
	equal "$got" 3
	grep -q 'CAP_BPF' "$ERR"
}

@test "a full disk is said" {
	local got=0
	"$CLOCKTOP" check >/dev/full 2>"$ERR" || got=$?
	equal "$got" 1
	grep -q '^clocktop: standard output: No space left on device' "$ERR"
}
