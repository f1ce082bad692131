#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The clocksource changes while a program runs.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

clocksource tsc || exit
play 200 \
	wait 1000 libc:clock_gettime:MONOTONIC own:clock_gettime:REALTIME \
	wait 2000 libc:clock_gettime:MONOTONIC libc:clock_gettime:PROCESS_CPUTIME_ID \
	wait 3000 libc:clock_gettime:MONOTONIC libc:clock_gettime:THREAD_CPUTIME_ID \
	wait
go_on
played
sleep 0.5
clocksource hpet || exit
sleep 0.5
go_on
played
sleep 0.5
clocksource tsc || exit
sleep 0.5
go_on
played
if ! play_ends; then
	fail "clocktop ends with its command's status" < out
fi
sort > expected <<END
clock_gettime x86_64 CLOCK_REALTIME direct calls 1000 0 direct
clock_gettime x86_64 CLOCK_MONOTONIC vdso - 2000 0 clocksource
clock_gettime x86_64 CLOCK_PROCESS_CPUTIME_ID vdso - 2000 0 clock-id
clock_gettime x86_64 CLOCK_THREAD_CPUTIME_ID vdso - 3000 0 clock-id
END
judge "tsc, hpet, tsc while a program runs"

# At full speed: what falls back during the time on hpet has that cause, to
# the last call, and there is nothing else.
clocksource tsc || exit
play 100 wait 3000000 libc:clock_gettime:MONOTONIC wait
go_on
clocksource hpet
sleep 0.3
clocksource tsc
sleep 0.3
clocksource hpet
sleep 0.3
clocksource tsc
played
play_ends
records counts.csv > out
match "only the time on hpet counts, with its cause" \
	"^clock_gettime x86_64 CLOCK_MONOTONIC vdso - [0-9]* 0 clocksource$" "!direct" "!unknown" "!missed"
