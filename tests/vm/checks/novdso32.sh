#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Booted with vdso32=0: 32-bit programs have no vDSO, 64-bit ones have theirs.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

clocksource tsc || exit
# Without a vDSO the dynamic loader's own routine makes the libc's syscalls.
for program in calls-i386:calls-i386 calls-i386-dynamic:ld-linux.so.2; do
	expect "vdso32=0: every call of ${program%:*} is a syscall" "$BIN/${program%:*}" 100 \
		libc:clock_gettime:MONOTONIC libc:gettimeofday <<-END
		clock_gettime64 i386 CLOCK_MONOTONIC direct ${program#*:} 100 0 no-vdso
		clock_gettime64 i386 CLOCK_REALTIME direct ${program#*:} 100 0 no-vdso
	END
done
expect "vdso32=0: 64-bit programs are served" "$BIN/calls" 100 \
	libc:clock_gettime:MONOTONIC libc:gettimeofday libc:clock_gettime:PROCESS_CPUTIME_ID <<END
clock_gettime x86_64 CLOCK_PROCESS_CPUTIME_ID vdso - 100 0 clock-id
END

"$BIN/calls-i386" 1000 forever libc:clock_gettime:MONOTONIC > /dev/null &
"$CLOCKTOP" why $! > out 2>&1
match "vdso32=0: why names the boot parameter" "from calls-i386 *no-vdso" \
	"remedy *Remove vdso32=0 from the kernel command line"
verdict "vdso32=0: the host itself is healthy" 0 "healthy: "
kill $!
