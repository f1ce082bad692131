#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The story that clocktop is made for: a JVM reads the clock on a host with a
# bad clocksource; the remedy that `why` prints is applied; the rate collapses.
# What is seen goes to the host as it happens.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

# show COMMAND [MORE]: shows a command as a prompt would, and runs it, with MORE
# added that is not shown; its output is also in `out`.  "> " tells these lines
# from what the checks say.
show() {
	printf '>\n> # %s\n' "$1" | "$BIN/tohost" say
	sh -c "$1 ${2-}" > out 2>&1
	sed 's/^/> /' out | "$BIN/tohost" say
}

# The clock syscalls a second of java in the last interval of a CSV file.
java_rate() {
	awk -F, '$6 == "java" { if ($1 != time) { time = $1; rate = 0 } rate += $16 }
		$12 == "host" { last = $1 }
		END { print time == last ? int(rate) : 0 }' "$1"
}

PATH=$BIN:$PATH
clocksource hpet || exit
# The loop says each second how many reads it made.
java -Xshare:auto -XX:+UseSerialGC -cp "$BIN" Loop > loop 2>&1 &
job=$!
until grep -q reads loop; do sleep 0.5; done

show "tail -n 1 loop"
show "clocktop -b -n 2 -d 2" "--csv before.csv"
show "clocktop why $job"
match "why names the cause and a remedy" "cause *clocksource" "remedy *echo tsc > "
remedy=$(sed -n 's/^ *remedy *\(echo [a-z_]* > [^ ]*\)$/\1/p' out | head -n 1)
show "$remedy"
sleep 3
show "tail -n 1 loop"
show "clocktop -b -n 2 -d 2" "--csv after.csv"
show "clocktop why $job"
kill $job
wait $job
before=$(java_rate before.csv)
after=$(java_rate after.csv)
if [ "$before" -gt 10000 ] && [ "$after" -lt 100 ]; then
	pass "the remedy works: from $before to $after clock syscalls a second"
	echo "$before" > "$COUNTED"
else
	echo "from $before to $after clock syscalls a second" | fail "the remedy works"
fi
