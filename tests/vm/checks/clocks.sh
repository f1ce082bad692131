#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Which clocks fall back on which clocksource, x86-64.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

SILENT_READS="libc:clock_gettime:REALTIME_COARSE libc:clock_gettime:MONOTONIC_COARSE libc:time
	libc:clock_getres:REALTIME libc:clock_getres:MONOTONIC libc:clock_getres:MONOTONIC_RAW
	libc:clock_getres:BOOTTIME libc:clock_getres:TAI libc:clock_getres:REALTIME_COARSE
	libc:clock_getres:MONOTONIC_COARSE"
CPU_READS="libc:clock_gettime:PROCESS_CPUTIME_ID libc:clock_gettime:THREAD_CPUTIME_ID
	libc:clock_getres:PROCESS_CPUTIME_ID"

cpu_reads() {
	cat <<-END
		clock_gettime x86_64 CLOCK_PROCESS_CPUTIME_ID vdso - 1000 0 clock-id
		clock_gettime x86_64 CLOCK_THREAD_CPUTIME_ID vdso - 1000 0 clock-id
		clock_getres x86_64 CLOCK_PROCESS_CPUTIME_ID vdso - 1000 0 clock-id
	END
}

clocksource tsc || exit
# shellcheck disable=SC2086 # a word each
cpu_reads | expect "tsc: only CPU clocks" "$BIN/calls" 1000 $COUNTER_READS $SILENT_READS $CPU_READS

for bad in hpet acpi_pm; do
	clocksource $bad || exit
	# shellcheck disable=SC2086
	{
		fallbacks x86_64 1000 clocksource
		cpu_reads
	} | expect "$bad: what reads the counter falls back, the rest stays silent" \
		"$BIN/calls" 1000 $COUNTER_READS $SILENT_READS $CPU_READS
done
