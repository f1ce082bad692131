#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Clocktop is stopped, or its reader does not read: what happens meanwhile is
# counted nevertheless.  STOP_SECONDS sets for how long.

load helper

: "${STOP_SECONDS:=2}"

# Processes that live for a millisecond, and threads, until $BATS_TEST_TMPDIR/stop
# is there; then prints how many calls they made.
load_until_stop() {
	local made=0
	cp "$WORKLOADS/calls" "$BATS_TEST_TMPDIR/$NAME"
	until [ -e "$BATS_TEST_TMPDIR/stop" ]; do
		"$BATS_TEST_TMPDIR/$NAME" -f 100 -j 4 3 gettime 2 raw
		"$BATS_TEST_TMPDIR/$NAME" -t 100 5 gettime 1000-1011 raw
		made=$((made + 300 + 6000))
	done
	echo "$made" >"$BATS_TEST_TMPDIR/made"
}

setup() {
	NAME=stop$$
}

# start_load: in the background, its pid in $LOAD.
start_load() {
	load_until_stop 3>&- &
	LOAD=$!
}

# all_counted: ends the load and then $RUNNING, a clocktop, and compares.
all_counted() {
	touch "$BATS_TEST_TMPDIR/stop"
	wait "$LOAD"
	kill -TERM "$RUNNING"
	wait "$RUNNING"
	local made
	made=$(cat "$BATS_TEST_TMPDIR/made")
	[ "$made" -gt 10000 ]
	equal "$(sums comm | awk '{ print $2 }')" "$made"
}

until_it_measures() {
	until grep -q ',host,' "$CSV" 2>/dev/null; do sleep 0.01; done
}

@test "stopped and continued, under load" {
	"$CLOCKTOP" stat -a -c "^$NAME$" -I 50 --csv "$CSV" 2>"$ERR" 3>&- &
	RUNNING=$!
	until_it_measures
	start_load
	kill -STOP "$RUNNING"
	sleep "$STOP_SECONDS"
	local lines
	lines=$(wc -l <"$CSV")
	kill -CONT "$RUNNING"
	until [ "$(wc -l <"$CSV")" -gt "$lines" ]; do sleep 0.01; done
	all_counted
	# One interval is as long as the stop was.
	/usr/bin/python3 - "$CSV" "$STOP_SECONDS" <<-'EOF'
		import csv, sys
		longest = max(float(r["interval_s"]) for r in csv.DictReader(open(sys.argv[1])))
		assert longest >= float(sys.argv[2]), longest
	EOF
}

@test "a reader that does not read for a while" {
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	# The kernel's pipe holds 64 KiB.
	(
		head -n 1
		sleep "$STOP_SECONDS"
		cat
	) <"$BATS_TEST_TMPDIR/fifo" >"$CSV" 3>&- &
	local reader=$!
	"$CLOCKTOP" stat -a -c "^$NAME$" -I 10 --csv "$BATS_TEST_TMPDIR/fifo" 2>"$ERR" 3>&- &
	RUNNING=$!
	until_it_measures_fifo
	start_load
	sleep "$STOP_SECONDS"
	all_counted
	wait "$reader"
}

# The header was read: it measures.
until_it_measures_fifo() {
	until [ -s "$CSV" ]; do sleep 0.01; done
}

@test "two at once do not disturb each other" {
	"$CLOCKTOP" stat -a -c "^$NAME$" -I 20 --csv "$CSV" 2>"$ERR" 3>&- &
	RUNNING=$!
	until_it_measures
	cp "$WORKLOADS/calls" "$BATS_TEST_TMPDIR/$NAME"
	for _ in {1..10}; do # the other one comes and goes
		"$CLOCKTOP" stat --csv "$BATS_TEST_TMPDIR/other" -- \
			"$BATS_TEST_TMPDIR/$NAME" -f 50 -t 2 20 gettime 2 raw 2>"$ERR.other"
		equal "$(CSV=$BATS_TEST_TMPDIR/other sums comm)" "$NAME 2000 0"
	done
	kill -TERM "$RUNNING"
	wait "$RUNNING"
	equal "$(sums comm)" "$NAME 20000 0"
}
