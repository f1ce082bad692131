#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# What stat prints, when it ends, and with which status.  Numbers are compared
# exactly; for times and rates only their shape is.

load helper

OUT=$BATS_TEST_TMPDIR/out
CALLS=$WORKLOADS/calls

# summary COUNT…: the lines of $ERR's summary as "count event", the host's count
# replaced by N, are these.
summary() {
	equal "$(sed -n '/^ Clock syscalls/,$p' "$ERR" |
		sed -nE 's/^ *([0-9,]+)  ([^ ]( ?[^ ])*).*/\1 \2/p' |
		sed -E 's/^[0-9,]+ (raw_syscalls:sys_(enter|exit))$/N \1/')" \
		"$(printf '%s\n' "$@" 'N raw_syscalls:sys_exit')"
}

# machine COLUMN: that column of each line of $OUT (fields apart by ";"), without
# the host's lines and the file's head.
machine() {
	grep ';' "$OUT" | grep -v ';raw_syscalls:' | cut -d';' -f"$1"
}

# wait_for COMMAND ARGUMENT…
wait_for() {
	until "$@"; do sleep 0.01; done
}

# attached PID: whether that clocktop counts: it has dropped all but a few
# capabilities by then.
attached() {
	grep -q '^NoNewPrivs:.*1' "/proc/$1/status"
}

@test "the summary of a command" {
	"$CLOCKTOP" stat "$CALLS" 1234567 gettime 2 raw 2>"$ERR"
	summary "1,234,567 clock_gettime"
	local number='[0-9]+\.[0-9]+' rate='[0-9.]+ [ KMG]/s'
	grep -qxE " Clock syscalls of '$CALLS 1234567 gettime 2 raw' in $number s:" "$ERR"
	grep -qxE " +1,234,567  clock_gettime +$rate +[ 0-9.]+ % of host   fallbacks   0\.0 %" "$ERR"
	grep -qxE " +[0-9,]+  raw_syscalls:sys_exit +$rate" "$ERR"
}

@test "fallbacks and errors of each event, largest event first" {
	"$CLOCKTOP" stat -- sh -c '
		"$0" 30 gettime 2 raw; "$0" 10 gettime 2 vdso
		"$0" 100 getres 2 vdso; "$0" -b 7 gettimeofday - raw' "$CALLS" 2>"$ERR"
	summary "100 clock_getres" "40 clock_gettime" "7 gettimeofday"
	grep -qE '  clock_getres .* fallbacks 100\.0 %$' "$ERR"
	grep -qE '  clock_gettime .* fallbacks  25\.0 %$' "$ERR"
	grep -qE '  gettimeofday .* fallbacks   0\.0 %   errors 7$' "$ERR"
}

@test "a command without clock syscalls gets an explained zero" {
	"$CLOCKTOP" stat true 2>"$ERR"
	summary "0 no clock syscalls"
}

@test "the fields for programs are the same in each line" {
	"$CLOCKTOP" stat -x ';' -- sh -c '"$0" 30 gettime 2 raw; "$0" 10 gettime 2 vdso
		"$0" -b 7 gettimeofday - raw' "$CALLS" 2>"$OUT"
	equal "$(machine 2,3,6-)" "\
40;clock_gettime;25.00;0;;;
7;gettimeofday;0.00;7;;;"
	equal "$(tr -cd ';\n' <"$OUT" | sort -u)" ";;;;;;;;;"
	grep -qxE '[0-9]+\.[0-9]{6};40;clock_gettime;[0-9.]+;[0-9.]+;25\.00;0;;;' "$OUT"
	grep -qxE '[0-9]+\.[0-9]{6};[0-9]+;raw_syscalls:sys_exit;[0-9.]+;;;;;;' "$OUT"
	# and they fit together: rate = count / time, share = count / the host's
	awk -F';' '
		/raw_syscalls/ { host = $2 }
		{ time[$3] = $1; count[$3] = $2; rate[$3] = $4; share[$3] = $5 }
		function differ(a, b) { return a - b > 0.001 * b || b - a > 0.001 * b }
		END {
			for (e in count) {
				if (differ(rate[e] * time[e], count[e])) exit 1
				if (share[e] != "" && differ(share[e] * host / 100, count[e])) exit 1
			}
			exit !(length(count) == 3)
		}' "$OUT"
}

@test "intervals add up, and a tab can be the separator" {
	"$CLOCKTOP" stat -I 20 -x '\t' -- "$CALLS" -u 200 1000 gettime 2 raw 2>"$OUT"
	sed -i 's/\t/;/g' "$OUT"
	equal "$(machine 2 | awk '{ sum += $1 } END { print sum }')" 1000
	[ "$(grep -c ';raw_syscalls:sys_exit;' "$OUT")" -gt 1 ]
	# time goes on, and there is no summary
	equal "$(cut -d';' -f1 "$OUT")" "$(cut -d';' -f1 "$OUT" | sort -n)"
	equal "$(machine 3 | sort -u)" clock_gettime
}

@test "intervals for people: heading, lines, summary" {
	"$CLOCKTOP" stat -I 20 -- "$CALLS" -u 200 1000 gettime 2 raw 2>"$ERR"
	summary "1,000 clock_gettime"
	equal "$(head -n 1 "$ERR")" \
		"#        time       counts  event                         rate   of host"
	equal "$(sed '/^$/,$d' "$ERR" | awk '$3 == "clock_gettime" { sum += $2 } END { print sum }')" 1000
	# a heading every 25 intervals
	local intervals headings
	intervals=$(sed '/^$/,$d' "$ERR" | grep -c 'raw_syscalls:sys_exit')
	headings=$(grep -c '^#' "$ERR")
	equal "$headings" "$(((intervals + 24) / 25))"
}

@test "-p: those processes, until the last of them ends" {
	start_waiting 300 gettime 2 raw
	start_waiting 500 getres 2 raw
	# what is not named is not counted
	"$CALLS" -u 100 1000000 gettime 2 raw &
	local other=$!
	"$CLOCKTOP" stat -p "${WAITING// /,}" -o "$OUT" -x ';' 2>"$ERR" &
	local counting=$!
	wait_for attached "$counting"
	for pid in $WAITING; do kill -USR1 "$pid"; done
	wait "$counting"
	kill "$other"
	local first=${WAITING% *} second=${WAITING#* }
	equal "$(machine 2,3,7-)" "\
500;clock_getres;0;;;
500;clock_getres;0;$second;;calls
300;clock_gettime;0;;;
300;clock_gettime;0;$first;;calls"
}

@test "-p with COMMAND counts those processes while it runs" {
	start_waiting 300 gettime 2 raw
	"$CLOCKTOP" stat -p "$WAITING" -- sh -c "$GO"' ; exec "$0" 50 getres 2 raw' \
		"$CALLS" 2>"$ERR"
	summary "300 clock_gettime"
	grep -qE "^ Clock syscalls of process $WAITING in " "$ERR"
}

@test "-a with COMMAND counts the host while it runs" {
	start_waiting -n stat-others 300 gettime 2 raw
	"$CLOCKTOP" stat -a -c '^stat-' -- sh -c "$GO"' ; exec "$0" -n stat-mine 50 gettime 2 raw' \
		"$CALLS" 2>"$ERR"
	summary "350 clock_gettime"
	grep -qF " Clock syscalls of the host (name ^stat-) in " "$ERR"
}

@test "-H and -g: rows below their event" {
	"$CLOCKTOP" stat -H -x ';' -- "$CALLS" -t 3 200 gettime 2 raw 2>"$OUT"
	equal "$(machine 2,3,10 | sort | uniq -c | xargs)" \
		"3 200;clock_gettime;calls 1 600;clock_gettime;"
	equal "$(machine 8 | grep -c .)" 3
	equal "$(machine 8 | grep . | sort -u | wc -l)" 1
	equal "$(machine 9 | grep . | sort -u | wc -l)" 3

	"$CLOCKTOP" stat -g command -x ';' -- sh -c '
		"$0" -f 5 20 gettime 2 raw; "$0" -n another 7 gettime 2 raw' "$CALLS" 2>"$OUT"
	equal "$(machine 2,3,8-)" "\
107;clock_gettime;;;
100;clock_gettime;;;calls
7;clock_gettime;;;another"

	"$CLOCKTOP" stat -g process -- "$CALLS" -f 3 20 gettime 2 raw 2>"$ERR"
	equal "$(grep -cE '^ +20    [0-9]+ calls +' "$ERR")" 3
	summary "60 clock_gettime"
}

@test "--min-rate leaves out rows and records, and sums stay whole" {
	"$CLOCKTOP" stat -g command --min-rate 1000 -x ';' --csv "$CSV" -- sh -c '
		"$0" 100000 gettime 2 raw; "$0" -n few 1 gettime 2 raw; "$0" 1 getres 2 raw' \
		"$CALLS" 2>"$OUT"
	equal "$(machine 2,3,10)" "\
100001;clock_gettime;
100000;clock_gettime;calls"
	equal "$(sums comm syscall)" "calls clock_gettime 100000 0"
}

@test "-e and -u" {
	local script='"$0" 30 gettime 2 raw; "$0" 20 getres 2 raw
		exec setpriv --reuid 65534 "$0" 9 getres 2 raw'
	"$CLOCKTOP" stat -e clock_getres -- sh -c "$script" "$CALLS" 2>"$ERR"
	summary "29 clock_getres"
	"$CLOCKTOP" stat -u 65534 -- sh -c "$script" "$CALLS" 2>"$ERR"
	summary "9 clock_getres"
}

@test "-o writes to a file, --append to its end, - to standard output" {
	"$CLOCKTOP" stat -o "$OUT" "$CALLS" 5 gettime 2 raw 2>"$ERR"
	equal "$(cat "$ERR")" ""
	"$CLOCKTOP" stat -o "$OUT" "$CALLS" 10 gettime 2 raw
	"$CLOCKTOP" stat -o "$OUT" --append "$CALLS" 20 gettime 2 raw
	equal "$(grep -oE '[0-9]+  clock_gettime' "$OUT")" "\
10  clock_gettime
20  clock_gettime"
	equal "$(grep -cE '^# started on [A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8} [0-9]{4}$' \
		"$OUT")" 2
	equal "$("$CLOCKTOP" stat -o - -x ';' "$CALLS" 30 gettime 2 raw 2>"$ERR" | cut -d';' -f2,3 |
		head -n 1)" "30;clock_gettime"
	equal "$(cat "$ERR")" ""
}

@test "a reader that goes away ends the printing quietly, not COMMAND" {
	"$CLOCKTOP" stat -I 10 -o - -- sh -c 'sleep 0.3; echo done >"$0"' "$BATS_TEST_TMPDIR/done" \
		2>"$ERR" | head -n 1 >"$OUT"
	equal "${PIPESTATUS[0]}" 0
	equal "$(cat "$BATS_TEST_TMPDIR/done")" "done"
	equal "$(cat "$ERR")" ""
}

@test "what could not be printed is said" {
	run -1 "$CLOCKTOP" stat -o /dev/full "$CALLS" 5 gettime 2 raw
	equal "$output" "clocktop: /dev/full: No space left on device; not all of it was printed"
	# COMMAND's own status goes before it
	run -7 "$CLOCKTOP" stat -o /dev/full sh -c 'exit 7'
}

@test "--interval-count ends it, COMMAND goes on to its end" {
	# COMMAND makes its calls when the third interval stands in the file.
	local script='until [ "$(grep -c :sys_exit "$1")" -ge 3 ]; do sleep 0.01; done
		"$0" 5000 gettime 2 raw; exit 5'
	run -5 "$CLOCKTOP" stat -I 20 --interval-count 3 -o "$OUT" -x ';' -- \
		sh -c "$script" "$CALLS" "$OUT"
	equal "$output" ""
	equal "$(grep -c ';raw_syscalls:sys_exit;' "$OUT")" 3
	equal "$(machine 2)" ""
	run -5 "$CLOCKTOP" stat -I 20 --interval-count 1000 -o "$OUT" -x ';' -- \
		sh -c "$script" "$CALLS" "$OUT"
	equal "$(machine 2 | awk '{ sum += $1 } END { print sum }')" 5000
	run -0 "$CLOCKTOP" stat -I 10 --interval-count 2 -c 'no such name'
	equal "$(grep -c 'raw_syscalls' <<<"$output")" 3
}

@test "--timeout ends it, and COMMAND with TERM" {
	run -143 "$CLOCKTOP" stat --timeout 50 sleep 60
	grep -q "no clock syscalls" <<<"$output"
	run -0 "$CLOCKTOP" stat --timeout 50 -c 'no such name'
	grep -q "no clock syscalls" <<<"$output"
	run -3 "$CLOCKTOP" stat --timeout 50 sh -c 'trap "exit 3" TERM; while :; do sleep 0.01; done'
}

@test "Ctrl-C is COMMAND's: clocktop waits for it and prints" {
	# As a terminal does it: to the whole process group.
	setsid --fork --wait "$CLOCKTOP" stat -- sh -c '
		"$0" 40 gettime 2 raw; kill -INT 0; sleep 60' "$CALLS" 2>"$ERR" && false
	equal "$?" 130
	summary "40 clock_gettime"
	# To clocktop alone it is nothing while COMMAND runs.
	"$CLOCKTOP" stat -- sh -c 'kill -INT $PPID; sleep 0.1; "$0" 40 gettime 2 raw; exit 6' \
		"$CALLS" 2>"$ERR" && false
	equal "$?" 6
	summary "40 clock_gettime"
}

@test "INT, TERM and HUP end it when there is no COMMAND" {
	local signal
	for signal in INT TERM HUP; do
		rm -f "$CSV"
		"$CLOCKTOP" stat -I 50 -c '^sig-workload$' --csv "$CSV" 2>"$ERR" &
		local counting=$!
		wait_for [ -s "$CSV" ]
		"$CALLS" -n sig-workload 70 gettime 2 raw
		kill -$signal "$counting"
		wait "$counting"
		summary "70 clock_gettime"
		equal "$(sums comm)" "sig-workload 70 0"
	done
}

@test "TERM is passed on to COMMAND, a second one is for clocktop" {
	"$CLOCKTOP" stat -- sh -c 'kill -TERM $PPID; sleep 60' 2>"$ERR" && false
	equal "$?" 143
	summary "0 no clock syscalls"

	"$CLOCKTOP" stat -- sh -c 'trap "echo got it" TERM; kill -TERM $PPID
		while [ ! -s "$0" ]; do sleep 0.01; done; sleep 0.1; echo ended' \
		"$BATS_TEST_TMPDIR/go" >"$OUT" 2>"$ERR" &
	local counting=$!
	wait_for grep -q 'got it' "$OUT"
	kill -TERM "$counting"
	wait "$counting" && false
	equal "$?" 143
	summary "0 no clock syscalls"
	# and COMMAND is left alone
	echo >"$BATS_TEST_TMPDIR/go"
	wait_for grep -q ended "$OUT"
}

@test "killed, it leaves COMMAND running" {
	"$CLOCKTOP" stat -- sh -c 'kill -KILL $PPID; sleep 0.1; echo ended >"$0"' "$OUT" \
		2>"$ERR" && false
	equal "$?" 137
	wait_for [ -s "$OUT" ]
}

@test "nohup: what was ignored at the start stays so" {
	(
		trap '' HUP
		exec "$CLOCKTOP" stat -- sh -c 'kill -HUP $PPID; sleep 0.1; exec "$0" 3 gettime 2 raw' \
			"$CALLS" 2>"$ERR"
	)
	summary "3 clock_gettime"
}

@test "stopped and continued, it loses nothing" {
	"$CLOCKTOP" stat -I 20 -x ';' -- sh -c '
		"$0" 10 gettime 2 raw; kill -STOP $PPID; "$0" -f 50 20 gettime 2 raw; sleep 0.2
		kill -CONT $PPID; "$0" 5 gettime 2 raw' "$CALLS" 2>"$OUT"
	equal "$(machine 2 | awk '{ sum += $1 } END { print sum }')" 1015
}
