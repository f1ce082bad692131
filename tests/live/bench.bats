#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The experiments of `bench`, shortly: that they run to their end and say what
# they should.  No figure is judged but those that are counted.

load helper


# columns FILE NAME…: those columns of a CSV file, a line a row.
columns() {
	python3 - "$@" <<'P'
import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    print(*(row[name] for name in sys.argv[2:]))
P
}

# bench ARGUMENT…: with its table in $CSV; nothing on standard error.
bench() {
	"$CLOCKTOP" bench "$@" --csv "$CSV" >"$BATS_TEST_TMPDIR/stdout" 2>"$ERR"
	equal "$(cat "$ERR")" ''
}

@test "clock: what is not served becomes a syscall, read for read" {
	bench clock --seconds 0.2
	# Counted in the kernel and asked of the vDSO: two ways to the same answer.
	equal "$(columns "$CSV" served syscalls_per_1000 | grep -vxE 'yes 0|no 1000')" ''
	columns "$CSV" clock served syscalls_per_1000 | grep -x 'CLOCK_THREAD_CPUTIME_ID no 1000'
	columns "$CSV" clock served syscalls_per_1000 | grep -x 'CLOCK_MONOTONIC_COARSE yes 0'
	columns "$CSV" syscall | grep -x gettimeofday
	columns "$CSV" syscall | grep -x time
	# Every figure is there and is one.
	equal "$(columns "$CSV" libc_ns syscall_ns ratio | grep -vE '^[0-9.]+ ([0-9.]+ [0-9.]+| )$')" ''
	grep -qE 'a million times a second spends|is a syscall here' "$BATS_TEST_TMPDIR/stdout"
}

@test "clock: without a vDSO every read is one" {
	"$WORKLOADS/novdso" "$CLOCKTOP" bench --seconds 0.2 --csv "$CSV" >"$BATS_TEST_TMPDIR/stdout"
	equal "$(columns "$CSV" served syscalls_per_1000 | sort -u)" 'no 1000'
	grep -q 'Each read of CLOCK_MONOTONIC is a syscall here' "$BATS_TEST_TMPDIR/stdout"
}

@test "clock: without privilege all but the count" {
	chmod 711 "$BATS_TEST_TMPDIR"
	cp "$CLOCKTOP" "$BATS_TEST_TMPDIR/clocktop"
	setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps=-all \
		"$BATS_TEST_TMPDIR/clocktop" bench clock --seconds 0.2 --csv - >"$CSV"
	equal "$(columns "$CSV" syscalls_per_1000 | sort -u)" ''
	[ "$(columns "$CSV" libc_ns | grep -c .)" -ge 9 ]
	setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps=-all \
		"$BATS_TEST_TMPDIR/clocktop" bench clock --seconds 0.2 | grep -q '^Not counted how many'
}

@test "threads: the numbers asked for, pinned" {
	bench threads --seconds 0.2 --threads 1,3 --cpus 0
	equal "$(columns "$CSV" experiment threads)" $'threads 1\nthreads 3'
	equal "$(columns "$CSV" reads_per_s cpu_ns_a_read | grep -vE '^[1-9][0-9]* [0-9.]+$')" ''
	grep -q '3 threads read CLOCK_MONOTONIC' "$BATS_TEST_TMPDIR/stdout"
}

@test "threads: one, two, and as many as there are CPUs" {
	bench threads --seconds 0.2
	equal "$(columns "$CSV" threads | head -n 1)" 1
	equal "$(columns "$CSV" threads | tail -n 1)" "$(nproc)"
}

@test "cache: three ways, each age where there is one" {
	bench cache --seconds 0.3 --threads 1,20
	equal "$(columns "$CSV" way threads)" \
		$'direct 1\ncached 1\ncoarse 1\ndirect 20\ncached 20\ncoarse 20'
	equal "$(columns "$CSV" way age_median_us | grep direct | sort -u)" 'direct '
	[ "$(columns "$CSV" way age_median_us age_p99_us age_max_us | grep -cE '^(cached|coarse) [0-9.]+ [0-9.]+ [0-9.]+$')" = 4 ]
}

@test "sleep: with the slack as set and with 1 ns" {
	bench sleep --seconds 0.1
	equal "$(columns "$CSV" asked_ns slack_ns | head -n 4)" $'0 50000\n0 1\n1 50000\n1 1'
	# Sleeps that would not fit are left out; none ends early.
	equal "$(columns "$CSV" asked_ns | tail -n 1)" 10000000
	equal "$(columns "$CSV" late_us late_low_us | grep -e -)" ''
}

@test "JSON says the same as CSV" {
	bench threads --seconds 0.1 --threads 1 --json "$BATS_TEST_TMPDIR/json"
	python3 - "$CSV" "$BATS_TEST_TMPDIR/json" <<'P'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
objects = [json.loads(line) for line in open(sys.argv[2])]
assert len(rows) == len(objects) == 1, (rows, objects)
for row, o in zip(rows, objects):
    assert list(row) == list(o)
    for key, value in row.items():
        assert value == str(o[key]) or float(value) == o[key], key
P
}

@test "- is standard output, and then nothing else is there" {
	"$CLOCKTOP" bench threads --seconds 0.1 --threads 1 --csv - >"$CSV"
	equal "$(wc -l <"$CSV")" 2
	equal "$(head -c 11 "$CSV")" 'experiment,'
}

@test "what cannot be done is said before anything is measured" {
	local got
	for arguments in 'clock --threads 2' 'clock --csv /nowhere/file' 'threads --cpus 100000'; do
		got=0
		# shellcheck disable=SC2086
		"$CLOCKTOP" bench $arguments >"$BATS_TEST_TMPDIR/stdout" 2>"$ERR" || got=$?
		equal "$got" 2
		equal "$(wc -l <"$ERR")" 1
		equal "$(cat "$BATS_TEST_TMPDIR/stdout")" ''
	done
}

@test "a full disk and a closed pipe" {
	local got=0
	"$CLOCKTOP" bench clock --seconds 0.1 >/dev/full 2>"$ERR" || got=$?
	equal "$got" 1
	grep -q '^clocktop: standard output: No space left on device' "$ERR"
	"$CLOCKTOP" bench clock --seconds 0.1 2>"$ERR" | true
	equal "$(cat "$ERR")" ''
}

@test "progress goes to a terminal only, and leaves nothing behind" {
	script -qec "'$CLOCKTOP' bench threads --seconds 0.5 --threads 1 >'$BATS_TEST_TMPDIR/stdout'" \
		"$BATS_TEST_TMPDIR/terminal" </dev/null >/dev/null
	grep -q 'bench threads: .* % of about 1 s' "$BATS_TEST_TMPDIR/terminal"
	equal "$(grep '%.*of about' "$BATS_TEST_TMPDIR/stdout")" ''
}
