#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Others count the same calls in the same run: strace, perf, bpftrace and
# syscount see the workload at work under clocktop, and all must say the same
# number.  The workloads here include programs that were not written for it.

load helper

CALLS=clock_gettime,clock_getres,gettimeofday
[ "$ABI" != x86_64 ] || CALLS+=,time
[ "$ABI" = x86_64 ] && NUMBER=228 || NUMBER=113 # clock_gettime's

# Runs a program under strace under clocktop.  What strace counted must be what
# clocktop counted: lines "syscall count errors".
as_strace() {
	local strace=$BATS_TEST_TMPDIR/strace
	stat_csv -- strace -c -f -o "$strace" -e trace="$CALLS" "$@"
	[ "$(awk '/^ *[0-9]/ && $NF != "total"' "$strace" | wc -l)" -gt 0 ] # it counted something
	equal "$(sums syscall)" \
		"$(awk '/^ *[0-9]/ && $NF != "total" {print $NF, $4, NF == 6 ? $5 : 0}' "$strace" | sort)"
}

@test "strace: processes and threads" {
	as_strace "$WORKLOADS/calls" -f 20 -t 4 100 gettime 2 raw
	equal "$(sums syscall)" 'clock_gettime 8000 0'
}

@test "strace: execs and a daemon" {
	as_strace "$WORKLOADS/calls" -X -x 20 100 getres 2 libc
	equal "$(sums syscall)" 'clock_getres 2100 0'
	as_strace "$WORKLOADS/calls" -d 500 gettimeofday - raw
	equal "$(sums syscall)" 'gettimeofday 500 0'
}

@test "strace: errors" {
	as_strace "$WORKLOADS/calls" -t 3 200 gettime 1000-1004 raw
	equal "$(sums syscall)" 'clock_gettime 3000 3000'
	as_strace "$WORKLOADS/calls" -b 300 gettimeofday - raw
	equal "$(sums syscall)" 'gettimeofday 300 300'
}

@test "perf stat: both tracepoints" {
	local perf=$BATS_TEST_TMPDIR/perf
	stat_csv -- perf stat -x , -o "$perf" -e raw_syscalls:sys_enter --filter "id == $NUMBER" \
		-e raw_syscalls:sys_exit --filter "id == $NUMBER" -- \
		"$WORKLOADS/calls" -f 25 -t 4 200 gettime 2 raw
	equal "$(awk -F , '/sys_/ {print $3, $1}' "$perf")" \
		$'raw_syscalls:sys_enter 20000\nraw_syscalls:sys_exit 20000'
	equal "$(sums comm syscall | grep '^calls ')" 'calls clock_gettime 20000 0'
}

@test "perf stat: all syscalls of the host" {
	# One inside the other, the inner cannot have seen more than the outer.
	local perf=$BATS_TEST_TMPDIR/perf outer inner middle
	stat_csv -a -- perf stat -a -x , -o "$perf" -e raw_syscalls:sys_exit -- \
		"$CLOCKTOP" stat -a --csv "$BATS_TEST_TMPDIR/inner.csv" -- \
		"$WORKLOADS/calls" -t 4 100000 gettime 2 raw
	outer=$(sums)
	middle=$(awk -F , '/sys_exit/ {print $1}' "$perf")
	inner=$(CSV=$BATS_TEST_TMPDIR/inner.csv sums)
	echo "$outer >= $middle >= $inner >= 400000"
	[ "$outer" -ge "$middle" ] && [ "$middle" -ge "$inner" ] && [ "$inner" -ge 400000 ]
}

@test "bpftrace" {
	local out=$BATS_TEST_TMPDIR/bpftrace name=peer$$
	stat_csv -- bpftrace -o "$out" \
		-e "tracepoint:syscalls:sys_exit_clock_gettime /comm == \"$name\"/ { @n = count(); }" \
		-c "$WORKLOADS/calls -n $name -f 30 -t 4 300 gettime 2 vdso"
	equal "$(grep -F '@n' "$out")" '@n: 36000'
	equal "$(sums comm syscall via | grep "^$name ")" "$name clock_gettime vdso 36000 0"
}

@test "syscount" {
	local out=$BATS_TEST_TMPDIR/syscount
	start_waiting -t 8 5000 gettime 2 raw
	beside stdbuf -o L syscount -p "$WAITING" -T 1000 >"$out"
	eventually grep -q '^Tracing' "$out"
	stat_csv -a -- sh -c "$GO"
	kill -INT "${BESIDE[-1]}"
	wait "${BESIDE[-1]}"
	equal "$(awk '$1 == "clock_gettime" {print $2}' "$out")" 40000
	equal "$(sums pid syscall clock via | grep "^$WAITING ")" \
		"$WAITING clock_gettime $CPU direct 40000 0"
}

@test "Python's time.process_time" {
	as_strace /usr/bin/python3 -S -c '
import time
for _ in range(1000):
    time.process_time()
for _ in range(500):
    time.thread_time(); time.time(); time.monotonic(); time.perf_counter()'
	equal "$(sums comm syscall clock via)" "\
python3 clock_gettime $CPU vdso 1000 0
python3 clock_gettime CLOCK_THREAD_CPUTIME_ID vdso 500 0"
}

@test "a Java program that reads thread CPU time" {
	javac -d "$BATS_TEST_TMPDIR" "$BATS_TEST_DIRNAME/Cpu.java"
	as_strace java -Xint -cp "$BATS_TEST_TMPDIR" Cpu
	equal "$(sums comm syscall clock via | grep -F THREAD_CPUTIME)" \
		'java clock_gettime CLOCK_THREAD_CPUTIME_ID vdso 5000 0'
	[[ $(sums comm syscall clock via | grep 'CPU(tid') == *'java clock_gettime CPU(tid '*') vdso 300 0'* ]]
}

@test "valgrind, which hides the vDSO" {
	as_strace valgrind -q "$WORKLOADS/calls" 1000 gettime 1 libc
	# Not a clock syscall elsewhere; the control.
	stat_csv -- "$WORKLOADS/calls" 1000 gettime 2 libc
	equal "$(sums clock via)" "$CPU vdso 1000 0"
	stat_csv -- valgrind -q "$WORKLOADS/calls" 1000 gettime 2 libc
	equal "$(sums clock via object | grep -F "$CPU")" "$CPU direct memcheck-amd64-linux 1000 0"
}
