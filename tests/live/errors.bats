#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# What cannot be done is said in one clear line, with the exit status that the
# manual gives: 2 for usage, 3 where nothing can be measured, 1 for incomplete.

load helper

# refuses STATUS PATTERN ARGUMENT…: clocktop ends with that status, one line on
# standard error that matches, and nothing on standard output.
refuses() {
	local status=$1 pattern=$2 got=0
	shift 2
	"$@" >"$BATS_TEST_TMPDIR/stdout" 2>"$ERR" </dev/null || got=$?
	cat "$ERR"
	equal "$got" "$status"
	equal "$(wc -l <"$ERR")" 1
	grep -qE "^clocktop: $pattern" "$ERR"
	equal "$(cat "$BATS_TEST_TMPDIR/stdout")" ''
}

usage() {
	refuses 2 "$1" "$CLOCKTOP" "${@:2}"
	grep -qE -- '--help$' "$ERR"
}

@test "the control: nothing is refused" {
	stat_csv -- "$WORKLOADS/calls" 5 gettime 2 raw
	equal "$(sums comm)" 'calls 5 0'
}

@test "without privilege it names the capabilities and sudo" {
	chmod 711 "$BATS_TEST_TMPDIR"
	local as_user=(setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps=-all)
	cp "$CLOCKTOP" "$BATS_TEST_TMPDIR/clocktop"
	refuses 3 '.*CAP_BPF and CAP_PERFMON.*sudo clocktop' \
		"${as_user[@]}" "$BATS_TEST_TMPDIR/clocktop" stat --timeout 100
	refuses 3 '.*CAP_BPF and CAP_PERFMON.*sudo clocktop' \
		"${as_user[@]}" "$BATS_TEST_TMPDIR/clocktop" -b -n 1
	# root without the capabilities is no root
	refuses 3 '.*CAP_BPF and CAP_PERFMON.*sudo clocktop' \
		setpriv --bounding-set=-sys_admin,-bpf,-perfmon "$CLOCKTOP" stat --timeout 100
}

@test "without privilege COMMAND does not run" {
	refuses 3 '.*CAP_BPF' setpriv --bounding-set=-sys_admin,-bpf,-perfmon \
		"$CLOCKTOP" stat -- touch "$BATS_TEST_TMPDIR/ran"
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

@test "not in the initial pid namespace" {
	refuses 3 '.*pid namespace' unshare --pid --fork "$CLOCKTOP" stat --timeout 100
	refuses 3 '.*pid namespace' unshare --pid --fork --mount-proc "$CLOCKTOP" -b -n 1
}

@test "in a mount namespace of its own it works" {
	unshare --mount "$CLOCKTOP" stat --csv "$CSV" -- "$WORKLOADS/calls" 5 gettime 2 raw 2>"$ERR"
	equal "$(sums comm)" 'calls 5 0'
}

@test "unknown words and options" {
	usage '.*frobnicate' frobnicate
	usage '.*--frobnicate' --frobnicate
	usage '.*--frobnicate' stat --frobnicate
	usage '.*-q' stat -q
	usage '.*--interval' --interval 100
}

@test "bad numbers" {
	usage '--delay: "zero"' --delay zero
	usage '--delay: "0.05"' -d 0.05
	usage '--delay: "-1"' -d -1
	usage '--delay: "nan"' -d nan
	usage '--delay: "1e400"' -d 1e400
	usage '--delay: ""' -d ''
	usage '--iterations: "0"' -n 0
	usage '--iterations: "1.5"' -n 1.5
	usage '--iterations: "99999999999999999999"' -n 99999999999999999999
	usage '--interval: "1"' stat -I 1
	usage '--timeout: "soon"' stat --timeout soon
	usage '--min-rate: "-5"' stat --min-rate -5
	usage '--delay: .*' -d
}

@test "unknown names" {
	usage '--user: .*no such user!' -u 'no such user!'
	usage '--event: .*clock_settime' -e clock_gettime,clock_settime
	usage '--sort: .*size' -s size
	usage '--group: .*cgroup' -g cgroup
	usage '--comm: ' -c '('
}

@test "pids that are none" {
	sh -c : &
	local gone=$!
	wait "$gone"
	usage "--pid: .*$gone" stat -p "$gone"
	usage '--pid: .*"0"' stat -p 0
	usage '--pid: .*"x"' stat -p "$$,x"
	usage '--pid: .*' stat -p ''
}

@test "a hostile argument cannot act on the terminal" {
	usage '--delay: ' -d $'\e[31m1\nclocktop: all is well'
	equal "$(grep -c $'\e' "$ERR" || true)" 0
}

@test "a file that cannot be opened is an error before anything runs" {
	local ran=$BATS_TEST_TMPDIR/ran
	refuses 2 '.*/nowhere/x.csv: No such file or directory' \
		"$CLOCKTOP" stat --csv "$BATS_TEST_TMPDIR/nowhere/x.csv" -- touch "$ran"
	refuses 2 ".*: Is a directory" "$CLOCKTOP" stat --json "$BATS_TEST_TMPDIR" -- touch "$ran"
	refuses 2 '.*/nowhere/x: No such file or directory' \
		"$CLOCKTOP" stat -o "$BATS_TEST_TMPDIR/nowhere/x" -- touch "$ran"
	[ ! -e "$ran" ]
}

@test "a full disk is said, with how much is missing" {
	local disk=$BATS_TEST_TMPDIR/disk got=0
	mkdir "$disk"
	mount -t tmpfs -o size=16k tmpfs "$disk"
	CSV=$disk/records.csv
	"$CLOCKTOP" stat --csv "$CSV" -I 10 -- \
		"$WORKLOADS/calls" -u 100 5 gettime 1000-1999 raw >/dev/null 2>"$ERR" || got=$?
	equal "$got" 1
	grep -qE '^clocktop: .*records.csv: No space left on device; .*[0-9]+ intervals? (is|are) not in it' "$ERR"
	sums comm # what is there is whole
	umount "$disk"
}

@test "/dev/full" {
	local got=0
	"$CLOCKTOP" stat --csv /dev/full -- "$WORKLOADS/calls" 5 gettime 2 raw 2>"$ERR" || got=$?
	equal "$got" 1
	grep -qE '^clocktop: /dev/full: No space left on device' "$ERR"
	got=0
	"$CLOCKTOP" -b -n 2 -d 0.1 >/dev/full 2>"$ERR" || got=$?
	equal "$got" 1
	grep -qE '^clocktop: .*No space left on device' "$ERR"
	got=0
	"$CLOCKTOP" --help >/dev/full 2>"$ERR" || got=$?
	equal "$got" 1
}

@test "COMMAND that cannot be run" {
	refuses 127 '.*no-such-command' "$CLOCKTOP" stat -o /dev/null -- no-such-command
	refuses 127 '.*/no/such/command' "$CLOCKTOP" stat -o /dev/null -- /no/such/command
	refuses 126 '.*/etc/passwd: Permission denied' "$CLOCKTOP" stat -o /dev/null -- /etc/passwd
}

@test "COMMAND's own status is stat's" {
	run -0 stat_csv -- true
	run -1 stat_csv -- false
	run -42 stat_csv -- sh -c 'exit 42'
	run -143 stat_csv -- sh -c 'kill -TERM $$'
	run -137 stat_csv -- sh -c 'kill -KILL $$'
}

@test "COMMAND may have options of its own" {
	stat_csv "$WORKLOADS/calls" -t 2 5 gettime 2 raw
	equal "$(sums comm)" 'calls 10 0'
}

@test "help that cannot be printed is said, to a reader that is gone it is not" {
	run -1 bash -c '"$0" stat --help >/dev/full' "$CLOCKTOP"
	equal "$output" "clocktop: standard output: No space left on device"
	run -1 bash -c '"$0" --version >&-' "$CLOCKTOP"
	equal "$output" "clocktop: standard output: Bad file descriptor"
	# 141: SIGPIPE ended it
	run bash -c '"$0" --help | true; exit ${PIPESTATUS[0]}' "$CLOCKTOP"
	[[ $status = 0 || $status = 141 ]]
	equal "$output" ""
}
