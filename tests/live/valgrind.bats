#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The program's own memory: nothing is read or written where it must not be, and
# nothing is leaked.  Valgrind does not know bpf(2)'s batch operations and would
# take what the kernel wrote for uninitialised, so that is not looked at in the
# program as a whole, but in the tests of its parts.

load helper

MEMCHECK=(valgrind --quiet --error-exitcode=77 --leak-check=full
	--suppressions="$BATS_TEST_DIRNAME/valgrind.supp")

# memcheck ARGUMENT…: clocktop under valgrind, which makes the status 77 when it
# has something to say.
memcheck() {
	"${MEMCHECK[@]}" --undef-value-errors=no --show-leak-kinds=all --errors-for-leak-kinds=all \
		"$CLOCKTOP" "$@" 2>"$ERR" || {
		local status=$?
		cat "$ERR"
		return $status
	}
}

@test "stat of a command" {
	memcheck stat --csv "$CSV" --json "$BATS_TEST_TMPDIR/json" -I 50 -H -- \
		"$WORKLOADS/calls" -f 200 -t 2 10 gettime 1000-1010 raw
	equal "$(sums syscall)" 'clock_gettime 44000 44000'
}

@test "stat of the host" {
	beside "$WORKLOADS/calls" -u 100 -n "valgrind$$" 10000000 gettime 2 raw
	memcheck stat -a -x , --timeout 1000 --csv "$CSV"
	equal "$(sums comm syscall clock | grep -cF "valgrind$$")" 1
}

@test "batch mode" {
	beside "$WORKLOADS/calls" -u 100 -n "valgrind$$" 10000000 gettime 2 raw
	memcheck -b -d 0.3 -n 3 --csv "$CSV" >"$BATS_TEST_TMPDIR/batch"
	grep -qF "valgrind$$" "$BATS_TEST_TMPDIR/batch"
	equal "$(sums comm syscall clock | grep -cF "valgrind$$")" 1
}

@test "why, check and the help" {
	memcheck why -d 0.3 >"$BATS_TEST_TMPDIR/why"
	memcheck check || [ $? = 1 ] # a host may be unhealthy
	memcheck --help >"$BATS_TEST_TMPDIR/help"
}

@test "the parts" {
	# Not those that start or look at processes, which have valgrind in them.
	local tests=()
	for test in "$WORKLOADS"/../tests/unit_*; do
		case ${test##*/unit_} in
		child | late | look | proc | screen_list | served | vdso | watch) ;;
		*) tests+=("$test") ;;
		esac
	done
	[ ${#tests[@]} -gt 20 ]
	printf '%s\0' "${tests[@]}" | xargs -0 -n 1 -P "$(nproc)" "${MEMCHECK[@]}"
}
