#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Where records go: readers that do not read, files that may not grow, FIFOs.

load helper

@test "a reader that does not read does not keep it from ending" {
	/usr/bin/python3 - "$CLOCKTOP" <<-'EOF'
		import array, fcntl, json, os, signal, subprocess, sys, termios, time
		clocktop = sys.argv[1]
		for end in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
		    ours, its = os.pipe()
		    fcntl.fcntl(its, 1031, 4096)  # F_SETPIPE_SZ: a page
		    running = subprocess.Popen(
		        [clocktop, "stat", "-a", "-I", "10", "-o", "/dev/null", "--json", "-"],
		        stdout=its, stderr=subprocess.PIPE,
		    )
		    os.close(its)
		    held = array.array("i", [0])
		    while held[0] == 0:
		        fcntl.ioctl(ours, termios.FIONREAD, held)
		        time.sleep(0.01)
		    time.sleep(0.3)  # some intervals more than a page holds
		    running.send_signal(end)
		    errors = running.communicate(timeout=60)[1].decode()
		    assert running.returncode == 1, (running.returncode, errors)
		    assert "clocktop: -: its reader did not read; " in errors, errors
		    text = os.read(ours, 1 << 20).decode()
		    assert text.endswith("\n") and text.count("\n") > 0, text
		    for line in text.splitlines():
		        json.loads(line)
		    os.close(ours)
	EOF
}

@test "a slow reader gets everything" {
	local slow=$BATS_TEST_TMPDIR/slow
	"$CLOCKTOP" stat -o /dev/null --csv - -I 10 -- \
		"$WORKLOADS/calls" -u 100 20 gettime 1000-1099 raw 2>"$ERR" |
		while IFS= read -r line; do
			printf '%s\n' "$line"
			sleep 0.001
		done >"$slow"
	equal "${PIPESTATUS[0]}" 0
	equal "$(cat "$ERR")" ''
	equal "$(CSV=$slow sums comm)" 'calls 2000 2000'
}

@test "a file that may not grow further holds whole intervals, and it is said" {
	local got=0
	(
		ulimit -f 40 # KiB
		"$CLOCKTOP" stat -o /dev/null --csv "$CSV" -I 10 -- \
			"$WORKLOADS/calls" -u 100 5 gettime 1000-1999 raw 2>"$ERR"
	) || got=$?
	equal "$got" 1
	grep -qE '^clocktop: .*records.csv: File too large; [0-9]+ intervals are not in it$' "$ERR"
	sums comm
}

@test "each write to a file is of whole lines, so that none is torn when it is killed" {
	strace -e trace=write -P "$CSV" -s 10000 -o "$BATS_TEST_TMPDIR/trace" \
		"$CLOCKTOP" stat -a -o /dev/null --csv "$CSV" -I 100 -- \
		"$WORKLOADS/calls" -u 100 30 gettime 1000-1099 raw 2>"$ERR"
	[ "$(grep -c 'write(' "$BATS_TEST_TMPDIR/trace")" -gt 10 ]
	run ! grep -vE 'write\(.*\\n", [0-9]+\) = [0-9]+$|^(\+\+\+|---)' "$BATS_TEST_TMPDIR/trace"
}

@test "a FIFO is waited for until it has a reader, or a signal comes" {
	local fifo=$BATS_TEST_TMPDIR/fifo got=0
	mkfifo "$fifo"
	"$CLOCKTOP" stat -o /dev/null --csv "$fifo" -- "$WORKLOADS/calls" 7 gettime 2 raw 2>"$ERR" 3>&- &
	local running=$!
	cat "$fifo" >"$CSV"
	wait "$running"
	equal "$(sums comm)" 'calls 7 0'

	"$CLOCKTOP" stat --csv "$fifo" -- touch "$BATS_TEST_TMPDIR/ran" 2>"$ERR" 3>&- &
	running=$!
	sleep 0.2
	kill -TERM "$running"
	wait "$running" || got=$?
	[ "$got" != 0 ]
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
}
