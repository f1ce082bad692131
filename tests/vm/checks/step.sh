#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The time of day is stepped back by a day, and forward by two, in the middle
# of a run: intervals go on, their lengths and rates stay right.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

# step SECONDS: from one interval of counts.csv to another.
step() {
	lines=$(wc -l < counts.csv)
	date -s "@$(($(date +%s) + $1))" > /dev/null
	until [ "$(wc -l < counts.csv)" -ge $((lines + 2)) ]; do sleep 0.05; done
}

day=86400
play 200 \
	wait 1000 libc:clock_gettime:PROCESS_CPUTIME_ID \
	wait 2000 libc:clock_gettime:PROCESS_CPUTIME_ID \
	wait 3000 libc:clock_gettime:PROCESS_CPUTIME_ID \
	wait
go_on
played
step -$day
go_on
played
step $((2 * day))
go_on
played
step -$day
play_ends
echo "clock_gettime $(native_abi) CLOCK_PROCESS_CPUTIME_ID vdso - 6000 0 clock-id" > expected
judge "the clock steps by days: every call counts"
awk -F, '
NR > 1 {
	day[substr($1, 1, 10)] = 1
	if ($2 <= 0 || $2 > 3600)
		print "an interval of " $2 " s"
	wrong = $16 * $2 - $14
	if (wrong < -1 - $14 / 1000 || wrong > 1 + $14 / 1000)
		print $14 " calls in " $2 " s are not " $16 " a second"
}
END {
	for (d in day)
		days++
	if (days < 3)
		print "the time of day is not that of the host"
}' counts.csv > wrong
if [ -s wrong ]; then
	fail "the clock steps by days: lengths and rates stay right" < wrong
else
	pass "the clock steps by days: lengths and rates stay right"
fi

# The screen's refreshes go by the monotonic clock too.
"$CLOCKTOP" -b -d 0.5 -n 8 > out 2>&1 &
job=$!
until grep -q clocksource out; do sleep 0.05; done
date -s "@$(($(date +%s) - day))" > /dev/null
wait $job
status=$?
blocks=$(grep -c clocksource out)
if [ $status = 0 ] && [ "$blocks" = 8 ]; then
	pass "the clock steps by a day: the refreshes go on"
else
	{
		echo "exit status $status, $blocks blocks"
		cat out
	} | fail "the clock steps by a day: the refreshes go on"
fi
