#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# A program that makes N clock syscalls is counted as N.  Every record is
# compared, none may be missing and none may be too many; records.py checks
# that nothing was missed.

load helper

@test "one thread" {
	counts_as "clock_gettime $ABI $CPU direct 100000 0" calls 100000 gettime 2 raw
	[ "$(sums comm tid object)" = "calls  libc.so.6 100000 0" ]
}

@test "every way into the kernel has its via" {
	counts_as "clock_gettime $ABI $CPU direct 10 0" calls 10 gettime 2 asm
	[ "$(sums object)" = "calls 10 0" ]
	counts_as "clock_gettime $ABI $CPU vdso 11 0" calls 11 gettime 2 vdso
	counts_as "clock_gettime $ABI $CPU vdso 12 0" calls 12 gettime 2 libc
}

@test "each clock syscall has its name, and pointers are no clock ids" {
	counts_as "gettimeofday $ABI  direct 20 0" calls 20 gettimeofday - raw
	counts_as "clock_getres $ABI $CPU direct 21 0" calls 21 getres 2 raw
	counts_as "clock_getres $ABI $CPU vdso 22 0" calls 22 getres 2 vdso
	[ "$ABI" != x86_64 ] || counts_as "time $ABI  direct 23 0" calls 23 time - raw
}

@test "each clock has its name" {
	counts_as "\
clock_gettime $ABI CLOCK_MONOTONIC direct 3 0
clock_gettime $ABI CLOCK_MONOTONIC_COARSE direct 3 0
clock_gettime $ABI CLOCK_MONOTONIC_RAW direct 3 0
clock_gettime $ABI CLOCK_PROCESS_CPUTIME_ID direct 3 0
clock_gettime $ABI CLOCK_REALTIME direct 3 0
clock_gettime $ABI CLOCK_REALTIME_COARSE direct 3 0
clock_gettime $ABI CLOCK_THREAD_CPUTIME_ID direct 3 0" calls 3 gettime 0-6 raw
	counts_as "clock_gettime $ABI CLOCK_BOOTTIME direct 4 0" calls 4 gettime 7 raw
	counts_as "clock_gettime $ABI CLOCK_TAI direct 4 0" calls 4 gettime 11 raw
	# Without a hardware clock these are errors.
	stat_csv -- "$WORKLOADS/calls" 5 gettime 8-9 raw
	equal "$(sums clock | cut -d ' ' -f 1,2)" $'CLOCK_BOOTTIME_ALARM 5\nCLOCK_REALTIME_ALARM 5'
}

@test "int \$0x80 from a 64-bit program counts in the i386 table" {
	[ "$ABI" = x86_64 ] || return 0
	counts_as "clock_gettime i386 $CPU direct 30 0" calls 30 gettime 2 int80
	counts_as "clock_gettime64 i386 $CPU direct 31 0" calls 31 gettime64 2 int80
	counts_as "clock_getres i386 $CPU direct 32 0" calls 32 getres 2 int80
	counts_as "clock_getres_time64 i386 $CPU direct 33 0" calls 33 getres64 2 int80
	counts_as "gettimeofday i386  direct 34 0" calls 34 gettimeofday - int80
	counts_as "time i386  direct 35 0" calls 35 time - int80
}

@test "the legacy vsyscall page" {
	[ "$ABI" = x86_64 ] || return 0
	if grep -qF '[vsyscall]' /proc/self/maps; then
		counts_as "gettimeofday $ABI  vsyscall 40 0" calls 40 gettimeofday - vsyscall
		counts_as "time $ABI  vsyscall 41 0" calls 41 time - vsyscall
		# The tracepoint does not see them: still no share is more than all.
		"$CLOCKTOP" stat -x, -o "$BATS_TEST_TMPDIR/shares" -- "$WORKLOADS/calls" 5000 time - vsyscall
		awk -F, '$3 == "time" && $2 == 5000 { seen = $5 > 0 && $5 <= 100 } END { exit !seen }' \
			"$BATS_TEST_TMPDIR/shares"
	else # vsyscall=none: the first call kills the program, no call is made
		run ! counts_as '' calls 40 gettimeofday - vsyscall
		equal "$(sums pid)" ''
	fi
}

@test "what the vDSO serves does not appear" {
	# CLOCK_MONOTONIC_COARSE is served on every clocksource.
	counts_as '' calls 100000 gettime 6 libc
	# The control: the same program, another clock.
	counts_as "clock_gettime $ABI $CPU vdso 100000 0" calls 100000 gettime 2 libc
}

@test "64 threads at once" {
	counts_as "clock_gettime $ABI $CPU direct 1280000 0" calls -t 64 20000 gettime 2 raw
	equal "$(sums pid | wc -l)" 1
}

@test "threads that exit while others go on, after the first thread is gone" {
	# 1 + 2 + … + 32, times 1000
	counts_as "clock_gettime $ABI $CPU direct 528000 0" calls -l -t 32 32000 gettime 2 raw
	equal "$(sums comm start_ns | wc -l)" 1
}

@test "2,000 processes that live for a millisecond" {
	counts_as "clock_gettime $ABI $CPU direct 14000 0" calls -f 2000 7 gettime 2 raw
	equal "$(sums pid start_ns | wc -l)" 2000
	equal "$(sums pid start_ns | awk '$3 == 7 && $4 == 0' | wc -l)" 2000
}

@test "2,000 short processes, eight at a time" {
	counts_as "clock_gettime $ABI $CPU vdso 2000 0" calls -j 8 -f 2000 1 gettime 2 vdso
	equal "$(sums pid start_ns | wc -l)" 2000
}

@test "more processes than one at a time, each with threads" {
	counts_as "clock_gettime $ABI $CPU direct 160000 0" \
		calls -f 40 -j 4 -t 8 500 gettime 2 raw
	equal "$(sums comm | wc -l)" 1
}

@test "a program that execs" {
	counts_as "clock_gettime $ABI $CPU direct 3010 0" calls -x 300 10 gettime 2 raw
	equal "$(sums pid start_ns | wc -l)" 1
}

@test "a program that execs from a thread that is not its first" {
	counts_as "clock_gettime $ABI $CPU direct 3010 0" calls -X -x 300 10 gettime 2 raw
	equal "$(sums pid start_ns | wc -l)" 1
}

@test "a pid that is used three times" {
	counts_as "clock_gettime $ABI $CPU direct 600 0" reuse 100 200 300
	equal "$(sums pid | wc -l)" 1
	equal "$(sums pid | cut -d ' ' -f 1)" "$(cat "$BATS_TEST_TMPDIR/stdout")"
	equal "$(sums start_ns | cut -d ' ' -f 2,3)" $'100 0\n200 0\n300 0'
}

@test "a daemon in a session of its own" {
	counts_as "clock_gettime $ABI $CPU direct 5000 0" calls -d 5000 gettime 2 raw
}

@test "more kinds of calls than a thread has room for" {
	# 200 clocks that no kernel has, by 3 threads at once
	local expected
	expected=$(for clock in {1000..1199}; do
		echo "clock_gettime $ABI CLOCK($clock) direct 15 15"
	done)
	counts_as "$expected" calls -t 3 5 gettime 1000-1199 raw
}

@test "a bad clock id is counted, as an error" {
	counts_as "clock_gettime $ABI CLOCK(99) direct 50 50" calls 50 gettime 99 raw
	counts_as "clock_gettime $ABI CLOCK(99) vdso 51 51" calls 51 gettime 99 libc
	counts_as "clock_getres $ABI CLOCK(99) direct 52 52" calls 52 getres 99 raw
}

@test "a bad pointer is counted, as an error" {
	counts_as "clock_gettime $ABI $CPU direct 60 60" calls -b 60 gettime 2 raw
	counts_as "clock_gettime $ABI $CPU vdso 61 61" calls -b 61 gettime 2 vdso
	counts_as "gettimeofday $ABI  direct 62 62" calls -b 62 gettimeofday - raw
	[ "$ABI" != x86_64 ] || counts_as "time $ABI  direct 63 63" calls -b 63 time - raw
}

@test "CPU clocks of other tasks, and clocks behind a descriptor" {
	beside sleep 1000
	local other=${BESIDE[-1]}
	counts_as "clock_gettime $ABI CPU(pid $other) vdso 70 0" calls 70 gettime "pid:$other" libc
	# A thread of another process may not be read.
	counts_as "clock_gettime $ABI CPU(tid $other) vdso 71 71" calls 71 gettime "tid:$other" libc
	counts_as "clock_gettime $ABI FD(7) vdso 72 72" calls 72 gettime fd:7 libc
}

@test "what seccomp refuses is counted, as an error" {
	counts_as "clock_gettime $ABI $CPU vdso 80 80" refused 80 gettime 2 vdso errno
	counts_as "clock_gettime $ABI $CPU direct 81 81" refused 81 gettime 2 raw trap
	counts_as "gettimeofday $ABI  direct 82 82" refused 82 gettimeofday - raw trap
	counts_as "clock_gettime $ABI $CPU direct 83 83" refused 83 gettime 2 raw trace
	counts_as "clock_gettime $ABI $CPU direct 84 84" refused 84 gettime 2 raw notify
}

@test "a thread or process that seccomp kills for its call" {
	counts_as "clock_gettime $ABI $CPU direct 1 1" refused 90 gettime 2 raw thread
	counts_as "clock_gettime $ABI $CPU vdso 1 1" refused 90 gettime 2 vdso thread
	counts_as "clock_gettime $ABI $CPU direct 1 1" refused 90 gettime 2 raw strict
	counts_as "clock_gettime $ABI $CPU vdso 1 1" refused 91 gettime 2 vdso process
	[ "$ABI" != x86_64 ] || counts_as "time $ABI  direct 1 1" refused 92 time - raw process
}

@test "a seccomp filter that lets the call through is no error" {
	counts_as "clock_gettime $ABI $CPU direct 95 0" refused 95 gettime 2 raw log
	counts_as "clock_gettime $ABI $CPU direct 96 0" refused 96 gettime 2 raw other
}

@test "on the whole host too" {
	stat_csv -a -I 50 -- "$WORKLOADS/calls" -n "whole-$$" -t 8 -f 5 1000 gettime 2 raw
	equal "$(sums comm syscall clock via | grep -F "whole-$$")" \
		"whole-$$ clock_gettime $CPU direct 40000 0"
}

@test "-H: each thread by its own count" {
	counts_as "clock_gettime $ABI $CPU direct 3000 0" calls -l -t 5 1000 gettime 2 raw
	stat_csv -H -I 50 -- "$WORKLOADS/calls" -l -t 5 1000 gettime 2 raw
	equal "$(sums tid | cut -d ' ' -f 2,3 | sort -n)" $'200 0\n400 0\n600 0\n800 0\n1000 0'
}
