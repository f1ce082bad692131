#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# What is written as CSV and JSON Lines.  records.py reads it strictly and
# checks each record against the contract.

load helper

JSON=$BATS_TEST_TMPDIR/records.json

# The same sums from the JSON file.
json_sums() {
	CSV=$JSON sums "$@"
}

@test "CSV and JSON Lines hold the same records" {
	"$CLOCKTOP" stat --csv "$CSV" --json "$JSON" -H -I 50 -- \
		"$WORKLOADS/calls" -t 4 -u 5000 200 gettime 2 raw 2>"$ERR"
	[ "$(sums time | wc -l)" -ge 2 ]
	equal "$(sums comm)" 'calls 800 0'
	local all=(time pid tid start_ns comm user container syscall abi clock via object cause)
	equal "$(json_sums "${all[@]}")" "$(sums "${all[@]}")"
	equal "$(json_sums)" "$(sums)"
}

@test "intervals without calls have the host's row" {
	stat_csv -a -c '^no such name$' -I 100 --interval-count 5
	equal "$(sums comm)" ''
	equal "$(grep -c ',all,.*,host,' "$CSV")" 5
	equal "$(wc -l <"$CSV")" 6
}

@test "intervals follow each other without a gap" {
	stat_csv -a -I 100 --interval-count 10
	/usr/bin/python3 - "$CSV" <<-'EOF'
		import csv, datetime, sys
		rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["via"] == "host"]
		assert len(rows) == 10, len(rows)
		ends = [datetime.datetime.fromisoformat(r["time"].rstrip("Z")) for r in rows]
		for before, after, row in zip(ends, ends[1:], rows[1:]):
		    gap = (after - before).total_seconds() - float(row["interval_s"])
		    assert abs(gap) < 0.01, (gap, row)
	EOF
}

@test "--csv - is alone on standard output" {
	"$CLOCKTOP" stat --csv - -I 50 -- "$WORKLOADS/calls" -u 1000 200 gettime 2 raw \
		>"$CSV" 2>"$ERR"
	equal "$(sums comm clock)" "calls $CPU 200 0"
	"$CLOCKTOP" --csv - -n 2 -d 0.1 -b >"$CSV" 2>"$ERR"
	equal "$(grep -c ',all,.*,host,' "$CSV")" 2
	sums comm
}

@test "--json - is alone on standard output" {
	"$CLOCKTOP" stat --json - -I 50 -- "$WORKLOADS/calls" 200 gettime 2 raw >"$JSON" 2>"$ERR"
	equal "$(json_sums comm clock)" "calls $CPU 200 0"
	"$CLOCKTOP" --json - -n 2 -d 0.1 >"$JSON" 2>"$ERR"
	equal "$(wc -l < <(grep '"via":"host"' "$JSON"))" 2
	json_sums comm
}

@test "batch mode writes the records that it shows" {
	start_waiting 700 gettime 2 raw
	beside "$CLOCKTOP" -b -d 0.2 -p "$WAITING" --csv "$CSV" --json "$JSON" \
		>"$BATS_TEST_TMPDIR/batch" 2>"$ERR"
	eventually [ -s "$CSV" ]
	sh -c "$GO"
	eventually grep -qF "$CPU" "$CSV"
	kill -TERM "${BESIDE[-1]}"
	wait "${BESIDE[-1]}"
	equal "$(sums comm clock)" "calls $CPU 700 0"
	equal "$(json_sums comm clock)" "calls $CPU 700 0"
	grep -qE '^ *[0-9]+ root +calls +PROCESS_CPUTIME_ID .* 700 ' "$BATS_TEST_TMPDIR/batch"
}

@test "a reader that goes away ends it quietly" {
	for records in --csv --json; do
		"$CLOCKTOP" stat $records - -a -I 10 -o /dev/null 2>"$ERR" | head -n 3 >"$BATS_TEST_TMPDIR/head"
		equal "$(wc -l <"$BATS_TEST_TMPDIR/head")" 3
		equal "$(cat "$ERR")" ''
	done
	"$CLOCKTOP" --csv - -d 0.1 2>"$ERR" | head -n 3 >"$BATS_TEST_TMPDIR/head"
	equal "$(cat "$ERR")" ''
}

@test "hostile names come back as they were, in one record each" {
	local name names=(
		'a,b' 'say "no"' $'line\nbreak' $'\e[2J\e[31m' $'tab\tbed' $'\r\nCRLF'
		'=1+1' ' leading' "it's" '日本語テスト' $'cut \xe6\x97' $'\xff\xfe\x80' $'\x01\x7f\x9b'
		'{"a":1}' '\n' $'rtl \u202e'
	)
	for name in "${names[@]}"; do
		"$CLOCKTOP" stat --csv "$CSV" --json "$JSON" -- \
			"$WORKLOADS/calls" -n "$name" 9 gettime 2 raw 2>"$ERR"
		# The kernel keeps 15 bytes; what is not UTF-8 is replaced.
		/usr/bin/python3 - "$CSV" "$JSON" "$name" <<-'EOF'
			import csv, json, os, sys
			want = os.fsencode(sys.argv[3])[:15].decode(errors="replace")
			rows = list(csv.reader(open(sys.argv[1], newline=""), strict=True))
			assert len(rows) == 3 and {len(r) for r in rows} == {18}, rows
			names = [r[5] for r in rows[1:] if r[11] != "host"]
			assert names == [want], (names, want)
			rows = [json.loads(line) for line in open(sys.argv[2], newline="\n")]
			names = [r["comm"] for r in rows if r["via"] != "host"]
			assert names == [want], (names, want)
		EOF
		equal "$(sums syscall)" 'clock_gettime 9 0'
	done
}

@test "killed in the middle, it leaves whole lines" {
	beside "$WORKLOADS/calls" -u 100 -n "victim$$" 10000000 gettime 2 raw
	beside "$CLOCKTOP" stat -a -I 10 --csv "$CSV" --json "$JSON" 2>"$ERR"
	fifty_lines() {
		[ -e "$CSV" ] && [ "$(wc -l <"$CSV")" -gt 50 ]
	}
	eventually fifty_lines
	kill -KILL "${BESIDE[-1]}"
	wait "${BESIDE[-1]}" || [ $? = 137 ]
	[ "$(sums comm | grep -c "^victim$$ ")" = 1 ]
	[ "$(json_sums comm | grep -c "^victim$$ ")" = 1 ]
}

@test "an existing file is replaced" {
	printf 'an older file, which is longer than what comes now%.0s\n' {1..1000} >"$CSV"
	stat_csv -- "$WORKLOADS/calls" 5 gettime 2 raw
	equal "$(sums comm)" 'calls 5 0'
}
