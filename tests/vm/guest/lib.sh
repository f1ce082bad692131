# SPDX-License-Identifier: GPL-2.0-only
# Sourced by the checks that run in a guest.  RESULTS takes a line a check
# ("ok NAME", "not ok NAME", indented lines of detail), COUNTED the number of
# clock syscalls that checks expected and found.  BIN holds the programs.  Files
# go to the working directory: `out` is what the last program printed.
# shellcheck shell=sh disable=SC2034 # its users use them

CLOCKTOP=$BIN/clocktop
CLOCKSOURCES=/sys/devices/system/clocksource/clocksource0

pass() {
	echo "ok $1" >> "$RESULTS"
}

# fail NAME: details from standard input.
fail() {
	echo "not ok $1" >> "$RESULTS"
	sed 's/^/    /' >> "$RESULTS"
}

# The kernel's own ABI, by clocktop's name.
native_abi() {
	uname -m | sed s/aarch64/arm64/
}

# Makes NAME the current clocksource.  The kernel takes an unavailable one
# without a word, and tsc comes up seconds after boot (until then the list may
# name tsc-early, which is another): so ask until it is there.
clocksource() {
	tries=0
	until tr ' ' '\n' < $CLOCKSOURCES/available_clocksource | grep -qxF "$1"; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || break
		sleep 0.1
	done
	echo "$1" > $CLOCKSOURCES/current_clocksource
	[ "$(cat $CLOCKSOURCES/current_clocksource)" = "$1" ] && return
	fail "clocksource $1 can be chosen" < $CLOCKSOURCES/available_clocksource
	return 1
}

# Waits for a clocksource to become the current one by itself.
clocksource_becomes() {
	tries=0
	until [ "$(cat $CLOCKSOURCES/current_clocksource)" = "$1" ]; do
		tries=$((tries + 1))
		if [ $tries -ge 300 ]; then
			fail "clocksource becomes $1" < $CLOCKSOURCES/current_clocksource
			return 1
		fi
		sleep 0.1
	done
}

# records FILE: sums the records of a CSV file; a line for each
#   syscall abi clock via object count errors cause
# with "-" for what is empty.  Says so when the host's rows are not there,
# when something was missed, or when a line has not 18 fields.
records() {
	awk -F, '
	NR == 1 { if ($0 != "time,interval_s,pid,tid,start_ns,comm,user,container,syscall,abi,clock,via,object,count,errors,rate,cause,missed") print "header: " $0; next }
	NF != 18 { print "line " NR ": " $0; next }
	$12 == "host" { hosts++; missed += $18; next }
	{
		for (i = 9; i <= 17; i++)
			if ($i == "")
				$i = "-"
		key = $9 " " $10 " " $11 " " $12 " " $13
		count[key " " $17] += $14
		errors[key " " $17] += $15
	}
	END {
		for (k in count) {
			n = split(k, part, " ")
			print part[1], part[2], part[3], part[4], part[5], count[k], errors[k], part[6]
		}
		if (!hosts)
			print "no row of the host"
		if (missed)
			print "missed " missed
	}' "$1" | sort
}

# expect [-s STATUS] NAME COMMAND [ARG…]: runs it under clocktop stat; the
# records must be exactly those of standard input, in any order, and the exit
# status STATUS (0).
expect() {
	wanted=0
	if [ "$1" = -s ]; then
		wanted=$2
		shift 2
	fi
	name=$1
	shift
	sort > expected
	rm -f counts.csv
	"$CLOCKTOP" stat --csv counts.csv -o summary -- "$@" > out 2>&1
	status=$?
	if [ $status != "$wanted" ] || [ ! -e counts.csv ]; then
		{
			echo "exit status $status, not $wanted"
			cat out
		} | fail "$name"
		return
	fi
	judge "$name"
}

# judge NAME: compares the records of counts.csv with expected.
judge() {
	records counts.csv > got
	if cmp -s expected got; then
		pass "$1"
		sum=$(awk '{ sum += $6 } END { print sum + 0 }' got)
		echo $(($(cat "$COUNTED") + sum)) > "$COUNTED"
	else
		diff -u expected got | sed 1,2d | fail "$1"
	fi
}

# A program under clocktop stat, which stops at each "wait" until it is told to
# go on: the counts are exact whatever the time it takes.
# play INTERVAL ARG…: calls with these arguments, counted every INTERVAL ms into
# counts.csv, until its first wait.
play() {
	interval=$1
	shift
	rm -f go counts.csv
	mkfifo go
	: > out
	waited=0
	"$CLOCKTOP" stat -I "$interval" --csv counts.csv -o summary -- "$BIN/calls" "$@" \
		< go > out 2>&1 &
	job=$!
	exec 3> go
	played
}

# Until its next wait.
played() {
	waited=$((waited + 1))
	until [ "$(grep -c waiting out)" -ge $waited ]; do sleep 0.05; done
}

# go_on: from the wait it is at.
go_on() {
	echo >&3
}

# From its last wait to its end; the status is clocktop's.
play_ends() {
	go_on
	exec 3>&-
	wait "$job"
}

# The reads that need the clocksource's counter, as words for calls, and
# as the records they become: fallbacks ABI COUNT CAUSE.
COUNTER_READS="libc:clock_gettime:REALTIME libc:clock_gettime:MONOTONIC libc:clock_gettime:MONOTONIC_RAW
	libc:clock_gettime:BOOTTIME libc:clock_gettime:TAI libc:gettimeofday"

fallbacks() {
	for clock in REALTIME MONOTONIC MONOTONIC_RAW BOOTTIME TAI; do
		echo "clock_gettime $1 CLOCK_$clock vdso - $2 0 $3"
	done
	echo "gettimeofday $1 - vdso - $2 0 $3"
}

# match NAME PATTERN…: each basic regular expression must match a line of
# out, and one that begins with "!" none.
match() {
	name=$1
	shift
	wrong=
	for pattern; do
		case $pattern in
		!*) ! grep -q -e "${pattern#!}" out || wrong="$wrong
found: ${pattern#!}" ;;
		*) grep -q -e "$pattern" out || wrong="$wrong
not found: $pattern" ;;
		esac
	done
	if [ -z "$wrong" ]; then
		pass "$name"
	else
		{
			echo "$wrong"
			cat out
		} | fail "$name"
	fi
}

# refuses NAME PATTERN COMMAND…: COMMAND must say so, with exit status 3.
refuses() {
	name=$1 pattern=$2
	shift 2
	"$@" > out 2>&1
	status=$?
	if [ $status = 3 ]; then
		match "$name" "$pattern"
	else
		{
			echo "exit status $status, not 3"
			cat out
		} | fail "$name"
	fi
}

# once NAME PATTERN: exactly one line of out matches.
once() {
	if [ "$(grep -c -e "$2" out)" = 1 ]; then
		pass "$1"
	else
		fail "$1" < out
	fi
}

# verdict NAME STATUS PATTERN: what check says, also to one without privilege.
verdict() {
	"$CLOCKTOP" check > out 2>&1
	status=$?
	su nobody -s /bin/sh -c "$CLOCKTOP check" > out2 2>&1
	other=$?
	if [ $status = "$2" ] && [ $other = "$2" ] && cmp -s out out2; then
		match "$1" "$3"
	else
		{
			echo "exit status $status, without privilege $other, not $2"
			cat out out2
		} | fail "$1"
	fi
}

# Starts N programs that read CLOCK_MONOTONIC through the libc until they are
# stopped; $readers are their pids.
readers_start() {
	readers=
	for _ in $(seq "$1"); do
		"$BIN/calls" 1000 forever libc:clock_gettime:MONOTONIC > /dev/null &
		readers="$readers $!"
	done
}

readers_stop() {
	# shellcheck disable=SC2086 # a word each
	kill $readers
	wait
}
