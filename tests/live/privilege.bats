#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# What clocktop may do, what it gives up, and what it hands to COMMAND.

load helper

setup() {
	# An unprivileged user gets there, and can write there.
	chmod 711 "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" 2>/dev/null || return 1
	chmod 711 "${BATS_TEST_TMPDIR%/*}"
	chmod 777 "$BATS_TEST_TMPDIR"
	cp "$CLOCKTOP" "$WORKLOADS/calls" "$BATS_TEST_TMPDIR"
	PROGRAM=$BATS_TEST_TMPDIR/clocktop
	cat >"$BATS_TEST_TMPDIR/as_user" <<-'EOF'
		#!/bin/sh
		caps=$1
		shift
		exec setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps="-all,$caps" \
			--ambient-caps="-all,$caps" --bounding-set="-all,$caps" "$@"
	EOF
	chmod 755 "$BATS_TEST_TMPDIR/as_user"
}

# as_user CAPABILITIES COMMAND…: as uid 4242, with these (as "+bpf,+perfmon") as
# ambient, permitted and effective, and no others.
as_user() {
	"$BATS_TEST_TMPDIR/as_user" "$@"
}

# field NAME PID: the value of a line of /proc/PID/status.
field() {
	sed -n "s/^$1:\t//p" "/proc/$2/status"
}

# capabilities HEX: their names, in the order of their numbers.
capabilities() {
	local names
	names=$(capsh --decode="$1")
	echo "${names#*=}"
}

# start ARGUMENT…: clocktop in the background, its pid in $RUNNING, and waits
# until it measures.
start() {
	"$@" --csv "$CSV" 2>"$ERR" 3>&- &
	RUNNING=$!
	until grep -q ',host,' "$CSV" 2>/dev/null; do
		kill -0 "$RUNNING" || { cat "$ERR" && return 1; }
		sleep 0.01
	done
}

stop() {
	kill -TERM "$RUNNING"
	wait "$RUNNING"
}

@test "exactly CAP_BPF and CAP_PERFMON suffice" {
	as_user +bpf,+perfmon "$PROGRAM" stat --csv "$CSV" -- \
		"$BATS_TEST_TMPDIR/calls" -t 4 250 gettime 2 raw 2>"$ERR"
	equal "$(sums comm user clock)" "calls 4242 $CPU 1000 0"
	# The control: either of them alone does not.
	run -3 as_user +bpf "$PROGRAM" stat --timeout 100
	run -3 as_user +perfmon "$PROGRAM" stat --timeout 100
}

@test "with CAP_BPF and CAP_PERFMON it counts other users' processes" {
	start_waiting -n "root$$" 300 gettime 2 raw
	start "$BATS_TEST_TMPDIR/as_user" +bpf,+perfmon "$PROGRAM" stat -a -I 50
	sh -c "$GO"
	stop
	equal "$(sums comm user clock | grep -F "root$$")" "root$$ root $CPU 300 0"
}

@test "as file capabilities too" {
	setcap cap_bpf,cap_perfmon=ep "$PROGRAM"
	setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps=-all "$PROGRAM" \
		stat --csv "$CSV" -- "$BATS_TEST_TMPDIR/calls" 250 gettime 2 raw 2>"$ERR"
	equal "$(sums comm user)" 'calls 4242 250 0'
}

@test "root keeps four capabilities and no way to others" {
	start "$PROGRAM" stat -a -I 50
	local set=cap_dac_read_search,cap_sys_ptrace,cap_perfmon,cap_bpf
	equal "$(capabilities "$(field CapPrm $RUNNING)")" $set
	equal "$(capabilities "$(field CapEff $RUNNING)")" $set
	equal "$(capabilities "$(field CapInh $RUNNING)")" ''
	equal "$(capabilities "$(field CapAmb $RUNNING)")" ''
	equal "$(capabilities "$(field CapBnd $RUNNING)")" ''
	equal "$(field NoNewPrivs $RUNNING)" 1
	# Its threads as well.
	for task in "/proc/$RUNNING/task"/*; do
		equal "$(sed -n 's/^CapEff:\t//p' "$task/status")" "$(field CapEff $RUNNING)"
	done
	stop
	sums comm
}

@test "an unprivileged user keeps what there was, and no more" {
	start "$BATS_TEST_TMPDIR/as_user" +bpf,+perfmon,+net_admin "$PROGRAM" stat -a -I 50
	equal "$(capabilities "$(field CapPrm $RUNNING)")" cap_perfmon,cap_bpf
	equal "$(capabilities "$(field CapEff $RUNNING)")" cap_perfmon,cap_bpf
	equal "$(capabilities "$(field CapAmb $RUNNING)")" ''
	equal "$(field NoNewPrivs $RUNNING)" 1
	stop
}

# What COMMAND must have from clocktop's own caller.
IDENTITY='grep -E "^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp|Sig(Ign|Blk|Cgt)|ShdPnd)" /proc/self/status
	ulimit -a; nice; umask; cat /proc/$$/oom_score_adj; ls -l /proc/$$/fd'

@test "COMMAND has the identity, limits, signals and files that clocktop was started with" {
	local got=$BATS_TEST_TMPDIR/got want=$BATS_TEST_TMPDIR/want
	# The lists of descriptors without times and colours.
	normal() {
		sed "s,.* \([0-9]* -> \),\1,; s,$1$,OUT,; s/pipe:.*/pipe/; /^total/d" "$1"
	}
	compare() {
		rm -f "$CSV" "$BATS_TEST_TMPDIR/text"
		"$@" sh -c "$IDENTITY" </dev/null >"$want" 2>/dev/null 3>&-
		"$@" "$PROGRAM" stat -o "$BATS_TEST_TMPDIR/text" --csv "$CSV" -- \
			sh -c "$IDENTITY" </dev/null >"$got" 2>/dev/null 3>&-
		grep -q '^NoNewPrivs:.0$' "$want"
		grep -qE '[0-9] -> /dev/null' "$want"
		diff -u <(normal "$want") <(normal "$got")
	}
	compare env
	compare nice -n 3
	compare setpriv --reuid=4242 --regid=4242 --clear-groups \
		--inh-caps=-all,+bpf,+perfmon --ambient-caps=-all,+bpf,+perfmon
	compare sh -c 'trap "" HUP PIPE; exec "$@"' -
	compare prlimit --nofile=100:200
	compare sh -c 'exec 7</dev/zero; exec "$@"' -
	grep -q '7 -> /dev/zero' "$got"
}

@test "setuid programs work as COMMAND" {
	cp "$(command -v id)" "$BATS_TEST_TMPDIR/id"
	chown root "$BATS_TEST_TMPDIR/id"
	chmod 4755 "$BATS_TEST_TMPDIR/id"
	run -0 --separate-stderr as_user +bpf,+perfmon "$PROGRAM" stat -- "$BATS_TEST_TMPDIR/id" -u
	equal "$output" 0
}

@test "a symlink or file planted in a directory that everyone can write to is refused" {
	local shared=$BATS_TEST_TMPDIR/shared victim=$BATS_TEST_TMPDIR/victim
	local other='setpriv --reuid=4242 --regid=4242 --clear-groups'
	mkdir "$shared"
	chmod 1777 "$shared"
	echo precious >"$victim"
	chmod 600 "$victim"
	$other ln -s "$victim" "$shared/link"
	$other ln -s "$BATS_TEST_TMPDIR" "$shared/dir"
	$other touch "$shared/file"
	$other mkfifo "$shared/fifo"
	for path in link dir/new file fifo; do
		for option in --csv --json -o; do
			run -2 --separate-stderr timeout 10 "$PROGRAM" stat $option "$shared/$path" \
				--timeout 50
			# shellcheck disable=SC2154 # run sets it
			grep -qE "^clocktop: .*$path: (Permission denied|Too many levels)" \
				<<<"$stderr"
		done
	done
	equal "$(cat "$victim")" precious
	[ ! -e "$BATS_TEST_TMPDIR/new" ]
	# The control: one's own link there is followed.
	ln -s "$BATS_TEST_TMPDIR/own" "$shared/own"
	"$PROGRAM" stat --csv "$shared/own" -- true 2>"$ERR"
	grep -q ',host,' "$BATS_TEST_TMPDIR/own"
}

@test "it creates no file but those that were asked for" {
	local dir=$BATS_TEST_TMPDIR/empty
	mkdir "$dir"
	# By all its threads.
	cd "$dir" && strace -f -qq -e trace=openat,open,creat,mkdir,mkdirat,mknod,mknodat,symlinkat,rename,renameat2,linkat,unlinkat \
		-o "$BATS_TEST_TMPDIR/trace" "$PROGRAM" stat -a -I 50 --interval-count 2 --csv out 2>"$ERR"
	equal "$(ls)" out
	equal "$(grep -E 'O_CREAT|O_TMPFILE|creat\(|mkdir|mknod|symlink|rename|link' "$BATS_TEST_TMPDIR/trace" |
		grep -vE 'readlink' | grep -cvF '"out"')" 0
	grep -qF '"out"' "$BATS_TEST_TMPDIR/trace"
}
