#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The labelled collection of causes/: first strace must see what the labels
# say, then clocktop must name each cause.

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

TRACED=gettimeofday,clock_gettime,clock_getres$([ "$ABI" != x86_64 ] || echo ,time)

# verify NAME FRAME ROWS COMMAND...: strace sees as many calls as the rows have,
# each of them coming from FRAME.
verify() {
	local name=$1 frame=$2 rows=$3 calls
	local trace=$BATS_TEST_TMPDIR/trace
	shift 3
	[ "$frame" != untraceable ] || return 0
	strace -f -k -o "$trace" -e trace="$TRACED" "$@" >/dev/null 2>&1
	calls=$(awk '{ n += $7 } END { print n + 0 }' <<<"$rows")
	"$SOURCES/frames.py" "$trace" "$calls" "$frame" || {
		echo "# $name: strace does not agree" >&3
		return 1
	}
}

# ask NAME FRAME ROWS COMMAND...: clocktop says the rows, and those of a control
# program that comes after.
CONTROL="clock_gettime $ABI CLOCK(98) vdso - invalid-clock 7 7"
ask() {
	local name=$1 rows=$3 got expected
	shift 3
	stat_csv -I 20 -- sh -c '"$@"; exec "$WORKLOADS/calls" 7 gettime 98 libc' sh "$@" \
		>/dev/null 2>"$ERR"
	got=$(records)
	expected=$(printf '%s\n' "$rows" "$CONTROL" | grep . | sort)
	[ "$got" != "$expected" ] || return 0
	{
		echo "# $name:"
		diff --label expected --label got -u <(echo "$expected") <(echo "$got") | sed 1,3d
	} >&3
	return 1
}

# The records as rows of a label.
records() {
	"$BATS_TEST_DIRNAME/records.py" "$CSV" syscall abi clock via object cause |
		sed -E 's/\t\t/\t-\t/g; s/\t\t/\t-\t/g; s/(CPU\([a-z]+) [0-9]+/\1/; s/\t/ /g' | sort
}

# Runs the function for every label: says how many agree, and all must.
each() {
	local all=0 right=0
	label() {
		all=$((all + 1))
		if "$ask_or_verify" "$@"; then
			right=$((right + 1))
		fi
	}
	ask_or_verify=$1
	label_all
	echo "# $right of $all right" >&3
	[ "$right" -eq "$all" ]
	[ "$all" -ge 20 ]
}

@test "the labels are what strace sees" {
	each verify
}

@test "clocktop names each cause, and is silent about the innocent" {
	each ask
}
