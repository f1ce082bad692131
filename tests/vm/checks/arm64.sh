#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# arm64 with a counter that user space can read.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

for link in static dynamic; do
	case $link in
	static) program=$BIN/calls libc=calls ;;
	dynamic) program=$BIN/calls-dynamic libc=libc.so.6 ;;
	esac
	# shellcheck disable=SC2086 # a word each
	expect "arm64, $link: only CPU clocks" "$program" 100 $COUNTER_READS libc:time libc:clock_getres \
		libc:clock_gettime:MONOTONIC_COARSE libc:clock_gettime:PROCESS_CPUTIME_ID \
		libc:clock_gettime:THREAD_CPUTIME_ID <<-END
		clock_gettime arm64 CLOCK_PROCESS_CPUTIME_ID vdso - 100 0 clock-id
		clock_gettime arm64 CLOCK_THREAD_CPUTIME_ID vdso - 100 0 clock-id
	END
	expect "arm64, $link: direct calls" "$program" 100 raw:clock_gettime:MONOTONIC raw:gettimeofday \
		own:clock_getres:TAI own:bad:clock_gettime:REALTIME own:clock_gettime:99 linger <<-END
		clock_gettime arm64 CLOCK_MONOTONIC direct $libc 100 0 direct
		gettimeofday arm64 - direct $libc 100 0 direct
		clock_getres arm64 CLOCK_TAI direct ${program##*/} 100 0 direct
		clock_gettime arm64 CLOCK_REALTIME direct ${program##*/} 100 100 direct
		clock_gettime arm64 CLOCK(99) direct ${program##*/} 100 100 invalid-clock
	END
done

expect "arm64: numbers of other tables are no clock calls" "$BIN/calls" 10 own:gettimeofday \
	own:number:13 own:number:78 own:number:96 own:number:201 own:number:228 own:number:229 \
	own:number:263 own:number:264 own:number:265 own:number:403 own:number:406 linger <<END
gettimeofday arm64 - direct calls 10 0 direct
END

readers_start 1
# shellcheck disable=SC2086 # a word each
"$CLOCKTOP" why $readers > out 2>&1
match "arm64: why has nothing to say against the clocksource" "no clock syscalls in" "!cause"
verdict "arm64: check is content" 0 "healthy: "
readers_stop
