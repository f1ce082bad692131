#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Batch mode: what the live screen shows, as text.
# shellcheck disable=SC2154 # bats sets status, output, stderr

load helper
load terminal

OUT=$BATS_TEST_TMPDIR/out

teardown() {
	[ -z "${BATCH-}" ] || kill -KILL "$BATCH" 2>/dev/null || wait "$BATCH" || [ $? = 137 ]
	close_terminal
}

# batch [ARGUMENT…]: runs in the background, its text in $OUT.
batch() {
	rm -f "$OUT" # it must not be found in what another one printed
	closed "$CLOCKTOP" -c "$NAMES" -d 0.2 "$@" >"$OUT" 2>"$ERR" &
	BATCH=$!
	eventually grep -q '^clock syscalls' "$OUT"
}

# finish: ends it with Ctrl-C's signal, which prints a last block.
finish() {
	kill -INT "$BATCH"
	wait "$BATCH"
	BATCH=
	equal "$(cat "$ERR")" ''
}

# The last block.
last() {
	awk -v RS= '{ block = block $0 "\n"; if (/CAUSE/) { kept = block; block = "" } } END { printf "%s", kept }' "$OUT"
}

# One value of a puppet's row in the last block: words counted from the right.
total() {
	last | grep -oE " p$ID$1 .*" | sed -E 's/ \+[0-9]+//' | awk '{ print $4, $5 }'
}

@test "blocks of header and table, with exact totals" {
	puppet a
	puppet b
	batch
	tell a 1234 2
	tell b 17 3
	tell b 5 99
	finish
	last | grep -qE "^clocktop  $(uname -n)  Linux $(uname -r)  up .*Z$"
	last | grep -qE '^clocksource  .*(✓|✗)'
	last | grep -qE '^clock syscalls  [0-9,]+/s  .* % of host  burning [~>][0-9.]+ of [0-9]+ CPU'
	last | grep -qE '^a read costs  [0-9]+ ns through the vDSO,  [0-9]+ ns as a syscall'
	last | grep -qE '^ *PID USER +COMMAND +CLOCK +RATE/s +TOTAL +ERR +CPU% +VIA +CAUSE$'
	equal "$(total a)" '1,234 0'
	equal "$(total b)" '22 5'
	# blocks are apart by an empty line, and so are header and table
	equal "$(grep -c '^clocktop' "$OUT")" "$((($(grep -c '^$' "$OUT") + 1) / 2))"
	run ! grep -q $'\e' "$OUT"
	run ! grep -qE '.{81}' "$OUT"
}

@test "all rows, however many" {
	local i
	for i in {1..40}; do
		puppet "n$i"
	done
	batch -s command
	for i in {1..40}; do
		tell "n$i" "$i" 2
	done
	finish
	equal "$(last | grep -c " p${ID}n")" 40
	for i in {1..40}; do
		equal "$(total "n$i")" "$i 0"
	done
}

@test "it ends after so many refreshes, without a terminal's help" {
	timeout 30 "$CLOCKTOP" -n 3 -d 0.1 -c "$NAMES" >"$OUT"
	equal "$(grep -c '^clocktop' "$OUT")" 3
	timeout 30 env -u TERM "$CLOCKTOP" -b -n 1 -d 0.1 -c "$NAMES" >"$OUT"
	equal "$(grep -c '^clocktop' "$OUT")" 1
}

@test "80 columns, or COLUMNS, or the terminal's" {
	puppet a
	tell a "name p${ID}-long-name"
	tell a 1 2
	batch
	tell a 10 2
	tell a 10 3
	finish
	run ! grep -qE '.{81}' "$OUT"
	COLUMNS=200 batch
	tell a 10 2
	tell a 10 3
	finish
	last | grep -qE " p${ID}-long-na.* (PROCESS|THREAD)_CPUTIME_ID \+1 "
	COLUMNS=40 batch
	tell a 10 2
	finish
	run ! grep -qE '^ *[0-9]+ .{41}' "$OUT"
	last | grep -qE '^ *PID COMMAND +(CLOCK +)?RATE/s CAUSE'
	open_terminal 60 24 "$CLOCKTOP" -b -n 1 -d 0.1 -c "$NAMES"
	soon shows '^it has ended$'
	shows '^ *PID '
	run ! grep -qE '.{61}' <(in_tmux capture-pane -p -J)
}

@test "sorted, grouped, by thread, and narrowed as asked" {
	puppet a 1
	puppet b
	puppet c
	batch -s command -H
	tell a 10 2
	tell a 20 2 1
	tell b 5 2
	tell c 7 3
	finish
	last | grep -qE "^ *${PUPPET_PID[a]} +${PUPPET_PID[a]} root +p${ID}a .* 10 +0 "
	last | grep -qE "^ *${PUPPET_PID[a]} +[0-9]+ root +t1 .* 20 +0 "
	equal "$(last | grep -oE "p${ID}[abc]" | tr '\n' ' ')" "p${ID}a p${ID}b p${ID}c "
	tell a "name p${ID}b"
	batch -g command -s total
	tell a 10 2
	tell a 20 2 1
	tell b 5 2
	tell c 7 3
	finish
	last | grep -qE "^ +2 root +p${ID}b .* 35 +0 "
	last | grep -qE "^ +1 root +p${ID}c .* 7 +0 "
	batch -e gettimeofday
	tell a 10 2
	finish
	run ! grep -q "p$ID" "$OUT"
	batch --min-rate 100000
	tell a 10 2
	tell c 1000000 2
	eventually grep -q "p${ID}c " "$OUT"
	finish
	run ! grep -q "p${ID}b " "$OUT"
	batch -u nobody
	tell a 10 2
	finish
	run ! grep -q "p$ID" "$OUT"
}

@test "files beside the text" {
	puppet a
	batch --csv "$CSV" --json "$BATS_TEST_TMPDIR/json"
	tell a 321 2
	finish
	equal "$(total a)" '321 0'
	equal "$(sums comm)" "p${ID}a 321 0"
	equal "$(CSV=$BATS_TEST_TMPDIR/json sums comm)" "p${ID}a 321 0"
}

@test "records on standard output, and nothing else" {
	puppet a
	closed "$CLOCKTOP" -c "$NAMES" -d 0.2 --csv - >"$CSV" 2>"$ERR" &
	BATCH=$!
	eventually [ -s "$CSV" ]
	tell a 321 2
	finish
	equal "$(sums comm)" "p${ID}a 321 0"
	local json=$BATS_TEST_TMPDIR/json
	closed "$CLOCKTOP" -c "$NAMES" -d 0.2 -b --json - >"$json" 2>"$ERR" &
	BATCH=$!
	eventually [ -s "$json" ]
	tell a 321 2
	finish
	equal "$(CSV=$json sums comm)" "p${ID}a 321 0"
	# on a terminal as well
	open_terminal 200 24 "$CLOCKTOP" --csv - -n 1 -d 0.1 -c "$NAMES"
	soon shows '^it has ended$'
	shows '^time,interval_s,pid' ',all,,,host,'
	equal "$(shown | grep -c .)" 3
}

@test "the processes of -p end, and it goes on and says so" {
	puppet a
	batch -p "${PUPPET_PID[a]}"
	tell a 10 2
	eventually grep -q "p${ID}a " "$OUT"
	run ! grep -q 'The processes of -p' "$OUT"
	dismiss a
	eventually grep -q '^The processes of -p have ended.  *What they started is counted on.$' "$OUT"
	finish
	last | grep -q '^The processes of -p have ended'
}

@test "a closed pipe ends it quietly" {
	run --separate-stderr bash -c "timeout 30 '$CLOCKTOP' -b -d 0.1 | head -n 1; echo \${PIPESTATUS[0]}"
	equal "${lines[1]}" 0
	equal "$stderr" ''
	run --separate-stderr bash -c "timeout 30 '$CLOCKTOP' --csv - -d 0.1 | head -n 1; echo \${PIPESTATUS[0]}"
	equal "${lines[1]}" 0
	equal "$stderr" ''
}

@test "a full disk is said" {
	run --separate-stderr bash -c "'$CLOCKTOP' -b -n 2 -d 0.1 --csv '$CSV' >/dev/full"
	equal "$status" 1
	equal "$stderr" 'clocktop: standard output: No space left on device; not all of it was printed'
	# what is no text goes on
	equal "$(grep -c ',host,' "$CSV")" 2
}

@test "closed standard output" {
	run --separate-stderr bash -c "'$CLOCKTOP' -b -n 1 -d 0.1 >&-"
	equal "$status" 2
	equal "$stderr" 'clocktop: standard output: Bad file descriptor'
}

@test "without UTF-8 it is ASCII, and hostile names are text" {
	puppet a
	tell a "name $(printf 'p%sa\e[2J\xc3\xa4' "$ID")"
	LC_ALL=C batch
	tell a 10 2
	finish
	last | grep -qF "p${ID}a\\e[2J"
	run ! grep -qP '[^\n\x20-\x7e]' "$OUT"
}

@test "a signal ends it with a last block" {
	local signal
	puppet a
	for signal in INT TERM HUP; do
		rm -f "$OUT"
		: >"$CSV"
		closed "$CLOCKTOP" -c "$NAMES" -d 60 --csv "$CSV" >"$OUT" 2>"$ERR" &
		BATCH=$!
		eventually grep -q clocktop "/proc/$BATCH/comm"
		eventually grep -q "^SigBlk:.*[1-9a-f]" "/proc/$BATCH/status"
		sleep 0.5
		tell a 100 2
		kill -s $signal "$BATCH"
		wait "$BATCH"
		equal "$(total a)" '100 0'
		equal "$(sums comm)" "p${ID}a 100 0"
	done
	BATCH=
}
