#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Booted with vdso=0: the libc has nothing to call.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

clocksource tsc || exit
expect "vdso=0: every call of the libc is a syscall" "$BIN/calls" 100 \
	libc:clock_gettime:MONOTONIC libc:clock_gettime:REALTIME_COARSE libc:gettimeofday libc:time \
	libc:clock_getres libc:clock_gettime:PROCESS_CPUTIME_ID <<END
clock_gettime x86_64 CLOCK_MONOTONIC direct calls 100 0 no-vdso
clock_gettime x86_64 CLOCK_REALTIME_COARSE direct calls 100 0 no-vdso
gettimeofday x86_64 - direct calls 100 0 no-vdso
time x86_64 - direct calls 100 0 no-vdso
clock_getres x86_64 CLOCK_REALTIME direct calls 100 0 no-vdso
clock_gettime x86_64 CLOCK_PROCESS_CPUTIME_ID direct calls 100 0 clock-id
END

readers_start 2
"$CLOCKTOP" why > out 2>&1
match "vdso=0: why names the boot parameter" "remedy *Remove vdso=0 from the kernel command line"
once "vdso=0: why says the cause of both processes once" "cause *no-vdso:"
verdict "vdso=0: check says so" 1 "no-vdso"
readers_stop
