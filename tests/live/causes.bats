#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The labelled collection of causes/: first strace must see what the labels
# say, then clocktop must name each cause, and stay silent about the innocent.

load helper

SOURCES=$BATS_TEST_DIRNAME/causes
# shellcheck source=tests/live/causes/labels.bash
source "$SOURCES/labels.bash"
# shellcheck source=tests/live/causes/build.bash
source "$SOURCES/build.bash"

setup_file() {
	export B=$BATS_FILE_TMPDIR SOURCES=$BATS_TEST_DIRNAME/causes
	build_all >&2
}

teardown() {
	[ -s "$SITUATIONS" ] || return 0
	cut -f2 "$SITUATIONS" | while read -r pid; do
		kill -KILL -- "-$pid" || [ ! -d "/proc/$pid" ]
	done
}

SITUATIONS=$BATS_TEST_TMPDIR/situations
TRACED=gettimeofday,clock_gettime,clock_getres$([ "$ABI" != x86_64 ] || echo ,time)

@test "the labels are what strace sees" {
	local all=0 right=0
	label() {
		local name=$1 frame=$2 rows=$3 trace=$BATS_TEST_TMPDIR/trace
		shift 3
		[ "$frame" != untraceable ] || return 0
		[ -n "$rows" ] || frame=silent
		strace -f -k -o "$trace" -e trace="$TRACED" "$@" >/dev/null 2>&1
		all=$((all + 1))
		if "$SOURCES/frames.py" "$trace" "$frame"; then
			right=$((right + 1))
		else
			echo "# $name: strace does not agree" >&3
		fi
	}
	COUNT=20
	label_all
	echo "# $right of $all agree" >&3
	[ "$right" = "$all" ]
	[ "$all" -ge 20 ]
}

# All at once; they go on until teardown kills them, each a session of its own.
@test "clocktop names each cause, and is silent about the innocent" {
	label() {
		local name=$1 rows=$3
		shift 3
		setsid "$@" >/dev/null 2>&1 3>&- &
		disown
		printf '%s\t%s\t%s\n' "$name" $! "${rows//$'\n'/$'\t'}" >>"$SITUATIONS"
	}
	COUNT=100000000
	label_all
	# Some take their time to begin.
	for _ in {1..100}; do
		"$CLOCKTOP" why --csv "$CSV" >/dev/null
		! "$SOURCES/judge.py" "$CSV" "$SITUATIONS" --began || break
	done
	"$CLOCKTOP" why -d 3 --csv "$CSV" >/dev/null
	"$SOURCES/judge.py" "$CSV" "$SITUATIONS" | sed 's/^/# /' >&3
	[ "${PIPESTATUS[0]}" = 0 ]
}

@test "what seccomp kills a process for is denied, though it is gone at once" {
	stat_csv -- "$WORKLOADS/refused" 1 gettime 1 raw process
	equal "$(sums comm syscall object cause)" "refused clock_gettime libc.so.6 denied 1 1"
}
