# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For the live tests: runs clocktop on a workload and compares its records.
# CLOCKTOP is the program, WORKLOADS the folder of the workloads.

bats_require_minimum_version 1.5.0
: "${CLOCKTOP:?}" "${WORKLOADS:?}"

ABI=$(uname -m)
ABI=${ABI/aarch64/arm64}
CSV=$BATS_TEST_TMPDIR/records.csv
ERR=$BATS_TEST_TMPDIR/stderr
CPU=CLOCK_PROCESS_CPUTIME_ID
export ABI CSV ERR CPU

# sums COLUMN…: what records.py prints of $CSV, with spaces for the tabs.
sums() {
	"$BATS_TEST_DIRNAME/records.py" "$CSV" "$@" | tr '\t' ' '
	return "${PIPESTATUS[0]}"
}

# equal GOT EXPECTED
equal() {
	[ "$1" = "$2" ] || {
		diff -u --label expected <(printf '%s\n' "$2") --label got <(printf '%s\n' "$1")
		[ ! -s "$ERR" ] || sed 's/^/stderr: /' "$ERR"
		return 1
	} >&2
}

# stat_csv ARGUMENT…: clocktop stat with records in $CSV; its status is stat's.
stat_csv() {
	"$CLOCKTOP" stat --csv "$CSV" "$@" 2>"$ERR"
}

# counts_as EXPECTED WORKLOAD ARGUMENT…: counted from its first instruction,
# the records of the workload add up to the lines "syscall abi clock via count
# errors", and there are no others.
counts_as() {
	local expected=$1 workload=$2
	shift 2
	stat_csv -I 50 -- "$WORKLOADS/$workload" "$@" >"$BATS_TEST_TMPDIR/stdout"
	equal "$(sums syscall abi clock via)" "$expected"
}

# beside COMMAND…: runs it in the background, no longer than the test; its pid is
# ${BESIDE[-1]}.
BESIDE=()
beside() {
	"$@" 3>&- &
	BESIDE+=($!)
}

teardown() {
	local pid
	for pid in "${BESIDE[@]}"; do
		! kill "$pid" 2>/dev/null || wait "$pid" || [ $? -gt 128 ]
	done
}

# eventually COMMAND…: waits until it succeeds, for half a minute at most.
eventually() {
	local i
	for i in {1..3000}; do
		! "$@" || return 0
		sleep 0.01
	done
	echo "never came: $*" >&2
	return 1
}

# start_waiting ARGUMENT…: the workload calls, which makes its calls when $GO is
# run; its pid is added to $WAITING.
WAITING=
start_waiting() {
	local pid=$BATS_TEST_TMPDIR/pid
	beside "$WORKLOADS/calls" -p "$@" >"$pid"
	eventually [ -s "$pid" ]
	WAITING+=" $(cat "$pid")"
	WAITING=${WAITING# }
	rm "$pid"
}

# For sh -c: lets them go and waits for their end.  Makes no clock syscalls.
GO='kill -USR1 $WAITING; for pid in $WAITING; do tail -s 0.01 --pid=$pid -f /dev/null; done'
export GO WAITING
