#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# `clocktop why` on processes that go on calling while it looks.

# shellcheck disable=SC2154 # bats sets status, output, stderr

load helper

JSON=$BATS_TEST_TMPDIR/why.json

setup() {
	PIDS=()
}

teardown() {
	local pid
	for pid in "${PIDS[@]}"; do
		kill "$pid" 2>/dev/null || [ ! -d "/proc/$pid" ]
	done
	wait
}

# begin COMMAND...: runs it; its pid is in $PID.
begin() {
	"$@" 3>&- &
	PID=$!
	PIDS+=("$PID")
}

# The calls of a process in $JSON, a line each.
calls_of() {
	python3 - "$JSON" "$1" <<'END'
import json, sys
for line in open(sys.argv[1]):
    row = json.loads(line)
    if row["kind"] == "process" and row["pid"] == int(sys.argv[2]):
        for c in row["calls"]:
            print(*(c[k] or "-" for k in
                    ("syscall", "abi", "clock", "via", "object", "symbol", "cause")))
END
}

@test "each call of a process has its cause, its place and its remedy" {
	begin "$WORKLOADS/calls" -u 1000 100000 gettime 1 asm
	"$CLOCKTOP" why "$PID" --json "$JSON" >"$BATS_TEST_TMPDIR/text"
	equal "$(calls_of "$PID")" \
		"clock_gettime $ABI CLOCK_MONOTONIC direct calls make_calls direct"
	grep -q "^calls, pid $PID, user root" "$BATS_TEST_TMPDIR/text"
	grep -q "^  clock_gettime MONOTONIC .*/s  direct, from calls  direct$" "$BATS_TEST_TMPDIR/text"
	grep -q "^    remedy   Call the libc's clock_gettime() instead" "$BATS_TEST_TMPDIR/text"
	# Nobody else was asked about.
	equal "$(grep -c ', pid ' "$BATS_TEST_TMPDIR/text")" 1
}

@test "without PIDs every caller is explained, the busiest first" {
	begin "$WORKLOADS/calls" -u 1000 100000 gettime 2 libc
	local slow=$PID
	begin "$WORKLOADS/calls" -u 200 1000000 gettimeofday - raw
	local fast=$PID order
	"$CLOCKTOP" why --json "$JSON" >/dev/null
	equal "$(calls_of "$slow")" "clock_gettime $ABI CLOCK_PROCESS_CPUTIME_ID vdso - - clock-id"
	equal "$(calls_of "$fast")" "gettimeofday $ABI - direct libc.so.6 syscall direct"
	order=$(sed -n 's/.*"kind":"process".*"pid":\([0-9]*\),.*/\1/p' "$JSON" | grep -wE "$slow|$fast")
	equal "$order" "$fast"$'\n'"$slow"
}

@test "a process that makes no clock syscalls has its zero explained" {
	begin sleep 1000
	"$CLOCKTOP" why "$PID" --json "$JSON" >"$BATS_TEST_TMPDIR/text"
	tr '\n' ' ' <"$BATS_TEST_TMPDIR/text" | grep -qE \
		"sleep, pid $PID: no clock syscalls in [0-9.]+ s. Its clock reads, if any, are served by the vDSO"
	equal "$(grep -c '"kind":"process"' "$JSON")" 1
	grep -q '"vdso_mapped":true,"vdso_genuine":true' "$JSON"
	# The control: another one is counted by the same program.
	begin "$WORKLOADS/calls" -u 1000 100000 gettime 2 libc
	"$CLOCKTOP" why "$PID" --json "$JSON" >/dev/null
	equal "$(calls_of "$PID")" "clock_gettime $ABI CLOCK_PROCESS_CPUTIME_ID vdso - - clock-id"
}

@test "a process that ends in the middle keeps its evidence" {
	begin "$WORKLOADS/calls" -u 50000 40 gettime 1 asm
	"$CLOCKTOP" why -d 4 "$PID" --json "$JSON" >"$BATS_TEST_TMPDIR/text"
	equal "$(calls_of "$PID")" \
		"clock_gettime $ABI CLOCK_MONOTONIC direct calls make_calls direct"
	grep -q "^calls, pid $PID, .*ended" "$BATS_TEST_TMPDIR/text"
}

@test "a thread of the kernel makes none" {
	local pid
	pid=$(pgrep -o kthreadd)
	run --separate-stderr "$CLOCKTOP" why -d 0.1 "$pid"
	equal "$status" 0
	[[ $output == *"kthreadd, pid $pid: no clock syscalls"*"thread of the kernel"* ]]
}

@test "a pid that is not there is an error" {
	run --separate-stderr "$CLOCKTOP" why 4194303
	equal "$status" 2
	equal "${#stderr_lines[@]}" 1
	[[ $stderr == *4194303* ]]
}

@test "the host is said once: clocks, costs, boot parameters" {
	run --separate-stderr "$CLOCKTOP" why -d 0.1 $$
	equal "$status" 0
	equal "$stderr" ""
	equal "$(grep -c "^Host $(uname -n), Linux $(uname -r)" <<<"$output")" 1
	grep -qE "^  clocksource $(cat /sys/devices/system/clocksource/clocksource0/current_clocksource);" \
		<<<"$output"
	grep -qE "^  MONOTONIC +(yes|no) +[0-9-]+ +[0-9]+$" <<<"$output"
	grep -qE "^  PROCESS_CPUTIME_ID +never +- +[0-9]+$" <<<"$output"
}

@test "no line is longer than 80 columns, and none is coloured, in a pipe" {
	begin "$WORKLOADS/calls" -u 1000 100000 getres 2 libc
	begin "$WORKLOADS/odd" 10000 jit
	begin "$WORKLOADS/odd" 10000 named
	"$CLOCKTOP" why "${PIDS[@]}" >"$BATS_TEST_TMPDIR/text"
	equal "$(LC_ALL=C.UTF-8 awk 'length > 80' "$BATS_TEST_TMPDIR/text" | grep -v current_clocksource)" ""
	run ! grep -q $'\033' "$BATS_TEST_TMPDIR/text"
	equal "$(grep -cE '^  (clock_gettime|clock_getres) ' "$BATS_TEST_TMPDIR/text")" 3
}

@test "a hostile name moves no cursor, and keeps its bytes in JSON" {
	begin "$WORKLOADS/odd" 10000 named
	"$CLOCKTOP" why "$PID" --json "$JSON" >"$BATS_TEST_TMPDIR/text"
	grep -qF '\e[2J,"\n\xff=1+1, pid' "$BATS_TEST_TMPDIR/text"
	equal "$(python3 -c 'import json, sys
for line in open(sys.argv[1]):
    row = json.loads(line)
    if row["kind"] == "process":
        print(ascii(row["comm"]))' "$JSON")" "'\\x1b[2J,\"\\n\\ufffd=1+1'"
}

@test "JSON on standard output is alone there; CSV are the records" {
	begin "$WORKLOADS/calls" -u 1000 100000 gettime 2 libc
	"$CLOCKTOP" why "$PID" --json - --csv "$CSV" >"$JSON"
	equal "$(wc -l <"$JSON")" 2
	equal "$(calls_of "$PID")" "clock_gettime $ABI CLOCK_PROCESS_CPUTIME_ID vdso - - clock-id"
	equal "$(sums pid syscall clock cause | cut -d' ' -f1-4)" \
		"$PID clock_gettime CLOCK_PROCESS_CPUTIME_ID clock-id"
	"$CLOCKTOP" why "$PID" --csv - >"$CSV"
	equal "$(sums pid syscall clock cause | cut -d' ' -f1-4)" \
		"$PID clock_gettime CLOCK_PROCESS_CPUTIME_ID clock-id"
}

@test "what cannot be written is said" {
	run --separate-stderr "$CLOCKTOP" why -d 0.1 --json /nonexistent/file $$
	equal "$status" 2
	[[ $stderr == *"/nonexistent/file: No such file"* ]]
	run --separate-stderr "$CLOCKTOP" why -d 0.1 --json /dev/full $$
	equal "$status" 1
	[[ $stderr == *"/dev/full: No space left"* ]]
	# shellcheck disable=SC2016 # for that shell to expand
	run bash -c '"$1" why -d 0.1 $$ >/dev/full' bash "$CLOCKTOP"
	equal "$status" 1
	[[ $output == *"No space left"* ]]
}

@test "an interrupt ends the sample early, and what was seen is explained" {
	begin "$WORKLOADS/calls" -u 1000 100000 gettime 2 libc
	local called=$PID
	begin "$CLOCKTOP" why -d 600 "$called" --json "$JSON"
	sleep 1
	kill -INT "$PID"
	wait "$PID"
	equal "$(calls_of "$called")" "clock_gettime $ABI CLOCK_PROCESS_CPUTIME_ID vdso - - clock-id"
}

@test "a reader that goes away ends it quietly" {
	# shellcheck disable=SC2016 # for that shell to expand
	run --separate-stderr bash -c '"$1" why -d 0.1 | head -n 1' bash "$CLOCKTOP"
	equal "$status" 0
	[[ $output == Host\ * ]]
	equal "$stderr" ""
}

@test "why itself is no caller" {
	begin "$WORKLOADS/calls" -u 1000 100000 gettime 2 libc
	local called=$PID
	begin "$CLOCKTOP" why -d 0.5 --json "$JSON"
	wait "$PID"
	equal "$(calls_of "$called")" "clock_gettime $ABI CLOCK_PROCESS_CPUTIME_ID vdso - - clock-id"
	equal "$(grep -c "\"pid\":$PID," "$JSON")" 0
}

# as_user CAPABILITIES ARGUMENT…: why as uid 4242 with these ambient capabilities.
as_user() {
	local caps="-all,$1"
	shift
	setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps="$caps" --ambient-caps="$caps" \
		--bounding-set="$caps" "$BATS_TEST_TMPDIR/clocktop" why "$@"
}

@test "with CAP_BPF and CAP_PERFMON alone, what could not be looked at is said" {
	chmod 711 "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
	cp "$CLOCKTOP" "$BATS_TEST_TMPDIR/clocktop"
	begin "$WORKLOADS/calls" -u 1000 100000 gettime 1 asm
	as_user +bpf,+perfmon "$PID" >"$BATS_TEST_TMPDIR/text"
	grep -q "needs CAP_SYS_PTRACE" "$BATS_TEST_TMPDIR/text"
	grep -qE "^  clock_gettime MONOTONIC .*, from calls +(direct|unknown)$" "$BATS_TEST_TMPDIR/text"
	as_user +bpf,+perfmon,+sys_ptrace,+dac_read_search "$PID" >"$BATS_TEST_TMPDIR/text"
	run ! grep -q "needs CAP_SYS_PTRACE" "$BATS_TEST_TMPDIR/text"
	grep -qE "^  clock_gettime MONOTONIC .*, from calls +direct$" "$BATS_TEST_TMPDIR/text"
}

@test "a library that was replaced since is said to be" {
	mkdir "$BATS_TEST_TMPDIR/lib"
	cp "$(sed -n "s,.* \(/.*/libc\.so\.6\)$,\1,p" /proc/self/maps | head -n 1)" \
		"$BATS_TEST_TMPDIR/lib/libc.so.6"
	begin env LD_LIBRARY_PATH="$BATS_TEST_TMPDIR/lib" "$WORKLOADS/calls" -u 1000 100000 gettime 1 raw
	eventually grep -q "$BATS_TEST_TMPDIR/lib/libc" "/proc/$PID/maps"
	rm "$BATS_TEST_TMPDIR/lib/libc.so.6"
	"$CLOCKTOP" why "$PID" --json "$JSON" >"$BATS_TEST_TMPDIR/text"
	equal "$(calls_of "$PID")" "clock_gettime $ABI CLOCK_MONOTONIC direct libc.so.6 - unknown"
	grep -q "deleted or replaced since" "$BATS_TEST_TMPDIR/text"
}
