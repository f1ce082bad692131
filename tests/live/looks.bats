#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Processes that end in the middle of an interval: the evidence for their cause
# has to be collected while they live.

load helper

@test "a program that ends before its only interval does has its cause" {
	stat_csv -- "$WORKLOADS/calls" -u 300000 4 gettime 1 asm
	equal "$(sums comm syscall object cause)" "calls clock_gettime calls direct 4 0"
}

@test "so has one that begins late in it" {
	stat_csv -- sh -c 'sleep 1.5; "$0" -u 400000 5 gettime 1 asm; sleep 0.5' "$WORKLOADS/calls"
	equal "$(sums comm syscall object cause)" "calls clock_gettime calls direct 5 0"
}

@test "what a process was before its exec does not speak for it" {
	# The same call, first by the libc's syscall(), then by a program's own text.
	stat_csv -- /usr/bin/python3 -c '
import ctypes, os, platform, sys
number = {"x86_64": 228, "aarch64": 113}[platform.machine()]
ctypes.CDLL(None).syscall(number, 1, ctypes.create_string_buffer(16))
os.execv(sys.argv[1], sys.argv[1:])' "$WORKLOADS/calls" -u 300000 5 gettime 1 asm
	equal "$(sums comm syscall object cause)" "calls clock_gettime calls direct 6 0"
}

# many_are CAUSE: whether the last block of $SCREEN that is complete has all of
# many*, each with one direct call and that cause.
many_are() {
	local last
	last=$(awk -v RS= '/COMMAND/ { before = last; last = $0 } END { print before }' "$SCREEN")
	[ "$(grep -cE " many[0-9]+ .* direct $1( |\$)" <<<"$last")" = 64 ] &&
		[ "$(grep -c " many" <<<"$last")" = 64 ]
}

@test "processes that call once, too many to look at in one interval, all get their cause" {
	SCREEN=$BATS_TEST_TMPDIR/screen
	for i in {1..64}; do # a file each, so that one look does not tell of others
		cp "$WORKLOADS/calls" "$BATS_TEST_TMPDIR/many$i"
		beside "$BATS_TEST_TMPDIR/many$i" -p -u 600000000 1 gettime 1 asm >"$BATS_TEST_TMPDIR/pid$i"
	done
	for i in {1..64}; do
		eventually [ -s "$BATS_TEST_TMPDIR/pid$i" ]
	done
	beside "$CLOCKTOP" -b -d 0.1 -c '^many' >"$SCREEN"
	eventually [ -s "$SCREEN" ]
	cat "$BATS_TEST_TMPDIR"/pid* | xargs kill -USR1
	eventually many_are direct
}
