#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# However it ends: signals at any moment (ends.py), and surroundings that go
# away.  ENDS_ROUNDS and ENDS_SEED are for longer runs and to repeat one.

load helper

# ends_well STATUS ARGUMENT…: no crash, no hang.
ends_well() {
	local status=$1 got=0
	shift
	timeout --kill-after=1 30 "$@" || got=$?
	equal "$got" "$status"
}

# Batch output goes on to the end, with what was counted in it.
start_victim() {
	"$WORKLOADS/calls" -u 100 -n "ends$$" 1000000 gettime 2 raw 3>&- &
	VICTIM=$!
}

teardown() {
	[ -z "${VICTIM-}" ] || kill "$VICTIM"
}

@test "signals at random moments" {
	mkdir "$BATS_TEST_TMPDIR/files"
	"$BATS_TEST_DIRNAME/ends.py" "$CLOCKTOP" "$WORKLOADS/calls" "$BATS_TEST_TMPDIR/files" \
		"${ENDS_ROUNDS:-100}" ${ENDS_SEED:+"$ENDS_SEED"} | tee "$BATS_TEST_TMPDIR/told"
	equal "$(tail -n 1 "$BATS_TEST_TMPDIR/told")" OK
}

@test "the directory of its file vanishes" {
	mkdir "$BATS_TEST_TMPDIR/log"
	start_victim
	local csv=$BATS_TEST_TMPDIR/log/csv
	"$CLOCKTOP" stat -a -I 20 --csv "$csv" --json "$BATS_TEST_TMPDIR/json" 2>"$ERR" 3>&- &
	local running=$! before
	until grep -qF "ends$$" "$csv" 2>/dev/null; do sleep 0.01; done
	rm -r "$BATS_TEST_TMPDIR/log"
	before=$(wc -l <"$BATS_TEST_TMPDIR/json")
	until [ "$(wc -l <"$BATS_TEST_TMPDIR/json")" -gt "$((before + 5))" ]; do sleep 0.01; done
	kill -TERM "$running"
	wait "$running"
	[ "$(CSV=$BATS_TEST_TMPDIR/json sums comm | grep -c "^ends$$ ")" = 1 ]
}

@test "standard descriptors are closed" {
	local work=("$WORKLOADS/calls" 9 gettime 2 raw)
	# Its own text has nowhere to go.
	ends_well 1 "$CLOCKTOP" stat --csv "$CSV" -- "${work[@]}" 2>&-
	equal "$(sums comm)" 'calls 9 0'
	ends_well 1 "$CLOCKTOP" stat --csv "$CSV" -- "${work[@]}" <&- >&- 2>&-
	equal "$(sums comm)" 'calls 9 0'
	ends_well 0 "$CLOCKTOP" stat --csv "$CSV" -o /dev/null -- "${work[@]}" <&- >&- 2>&-
	equal "$(sums comm)" 'calls 9 0'
	ends_well 0 "$CLOCKTOP" stat --csv "$CSV" -- "${work[@]}" >&- 2>"$ERR"
	equal "$(sums comm)" 'calls 9 0'
	# COMMAND has what the caller had.
	"$CLOCKTOP" stat -o /dev/null -- sh -c 'ls -l /proc/$$/fd' >"$BATS_TEST_TMPDIR/fds" <&- 2>&-
	equal "$(grep -cE ' [02] -> ' "$BATS_TEST_TMPDIR/fds")" 0
	grep -qE ' 1 -> .*/fds$' "$BATS_TEST_TMPDIR/fds"
	# Where it must write to what is closed, that is said.
	ends_well 2 "$CLOCKTOP" stat --csv - --timeout 50 >&- 2>"$ERR"
	grep -qE '^clocktop: -: Bad file descriptor' "$ERR"
	ends_well 2 "$CLOCKTOP" -b -n 2 -d 0.1 >&- 2>"$ERR"
	grep -qE '^clocktop: standard output: Bad file descriptor' "$ERR"
}

@test "no locale, and one that is not installed" {
	start_victim
	local locale
	for locale in '' C POSIX xx_XX.UTF-8 $'\e[31m'; do
		LC_ALL=$locale LANG=$locale "$CLOCKTOP" stat -g process --csv "$CSV" --timeout 300 \
			2>"$ERR"
		[ "$(sums comm | grep -c "^ends$$ ")" = 1 ]
		grep -qF "ends$$" "$ERR"
		LC_ALL=$locale LANG=$locale "$CLOCKTOP" -b -n 2 -d 0.2 >"$BATS_TEST_TMPDIR/out"
		grep -qF "ends$$" "$BATS_TEST_TMPDIR/out"
	done
	env -i "$CLOCKTOP" stat -g process --timeout 300 2>"$ERR"
	grep -qF "ends$$" "$ERR"
}
