#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# arm64 with a counter that a CPU erratum keeps from user space.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

for program in calls calls-dynamic; do
	# shellcheck disable=SC2086 # a word each
	{
		fallbacks arm64 100 clocksource
		echo "clock_gettime arm64 CLOCK_PROCESS_CPUTIME_ID vdso - 100 0 clock-id"
	} | expect "arm64, an erratum: $program falls back" "$BIN/$program" 100 $COUNTER_READS \
		libc:clock_getres libc:clock_gettime:MONOTONIC_COARSE libc:clock_gettime:PROCESS_CPUTIME_ID
done

# glibc reads both clocks with clock_gettime64.
expect "arm, an erratum: calls-arm falls back" "$BIN/calls-arm" 100 libc:clock_gettime:MONOTONIC \
	libc:gettimeofday libc:clock_gettime:MONOTONIC_COARSE <<END
clock_gettime64 arm CLOCK_MONOTONIC vdso - 100 0 clocksource
clock_gettime64 arm CLOCK_REALTIME vdso - 100 0 clocksource
END

readers_start 1
"$CLOCKTOP" why > out 2>&1
match "an erratum: why has no remedy, and says where the kernel names it" \
	"cause *clocksource: arch_sys_counter can be read in user space on most" \
	"dmesg | grep -i -e arch_timer -e erratum" "!TSC" "!echo [a-z_]* >"
verdict "an erratum: check says so" 1 "arch_sys_counter serves none of"
readers_stop
