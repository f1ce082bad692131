#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# /proc is a race and a liar.  Whatever it shows, every call is counted, nothing
# blocks, nothing is read without bound, and no other file than the process's
# own is taken for it.


load helper
export BATS_TEST_TMPDIR

CLOCK_CALL="clock_gettime $ABI $CPU direct"

# bounded ARGUMENT…: clocktop with as much memory and time as is reasonable.
bounded() {
	timeout --kill-after=1 60 prlimit --as=500000000 "$CLOCKTOP" "$@"
}

# tricked COUNT MICROS TRICK…: the program liar is counted, and looked at.
tricked() {
	bounded stat --csv "$CSV" -I 100 -- "$WORKLOADS/liar" "$@" 2>"$ERR"
	equal "$(sums syscall abi clock via)" "$CLOCK_CALL $1 0"
}

# mapped PID N: whether it has that many mappings.
mapped() {
	[ "$(wc -l <"/proc/$1/maps")" -ge "$2" ]
}

@test "a process with 60,000 mappings" {
	tricked 1000 500 maps 60000
	equal "$(sums object cause)" 'liar clock-id 1000 0'
	"$WORKLOADS/liar" 20000 200 maps 60000 3>&- &
	eventually mapped $! 60000 # before that it makes no calls
	bounded why -d 0.5 $! >"$BATS_TEST_TMPDIR/why"
	kill $!
	grep -qF 'clock-id' "$BATS_TEST_TMPDIR/why"
}

@test "a process that changes its name all the time" {
	tricked 3000 200 rename
	equal "$(sums pid start_ns | wc -l)" 1
}

@test "a process whose code comes and goes" {
	tricked 3000 200 remap
	equal "$(sums object)" '[anon] 3000 0'
}

@test "processes that vanish between any two looks at them" {
	local n
	n=$(bounded stat --csv "$CSV" -I 100 -- sh -c '
		"$1" -f 3000 -j 8 2 gettime 2 raw; "$1" -f 500 -j 4 -u 3000 2 gettime 2 asm' \
		- "$WORKLOADS/calls" 2>&1 >/dev/null | wc -l)
	[ "$n" -gt 0 ]
	equal "$(sums comm)" 'calls 7000 0'
}

# file_trick PREPARE: makes $FILE, an ELF file that liar calls from, starts it
# in a mount namespace of its own, runs PREPARE there, and looks at it by stat
# and why.
file_trick() {
	FILE=$BATS_TEST_TMPDIR/library.so
	cp /bin/true "$FILE"
	rm -f "$BATS_TEST_TMPDIR/pid"
	export FILE BATS_TEST_TMPDIR
	unshare --mount sh -c '
		"$WORKLOADS/liar" 30000 100 file "$FILE" >"$BATS_TEST_TMPDIR/pid" 3>&- &
		until [ -s "$BATS_TEST_TMPDIR/pid" ]; do sleep 0.01; done
		'"$1" 3>&-
	local pid
	pid=$(cat "$BATS_TEST_TMPDIR/pid")
	kill -USR1 "$pid"
	bounded why -d 0.5 "$pid" >"$BATS_TEST_TMPDIR/why" 2>"$ERR" || echo "why: $?"
	bounded stat -p "$pid" -I 100 --timeout 500 --csv "$CSV" 2>"$ERR"
	kill "$pid"
	cat "$BATS_TEST_TMPDIR/why"
	grep -qF 'clock-id' "$BATS_TEST_TMPDIR/why"
	equal "$(sums syscall abi clock via | awk '{ print $1, $2, $3, $4 }')" "$CLOCK_CALL"
	equal "$(sums object cause | awk '{ print $1, $2 }')" 'library.so clock-id'
}

@test "the control: a file that is what it seems" {
	file_trick :
}

@test "a file that was deleted" {
	file_trick 'rm "$FILE"'
}

@test "a FIFO lies where the file was" {
	file_trick 'mkfifo "$FILE.fifo" && mount --bind "$FILE.fifo" "$FILE"'
	rm "$FILE" "$FILE.fifo"
	file_trick 'rm "$FILE" && mkfifo "$FILE"'
}

@test "a device, a directory, a loop of symlinks lie where the file was" {
	file_trick 'mount --bind /dev/zero "$FILE"'
	file_trick 'rm "$FILE" && mkdir "$FILE"'
	rmdir "$FILE"
	file_trick 'rm "$FILE" && ln -s library.so "$FILE"'
}

@test "a sparse file of 4 TB" {
	file_trick 'truncate -s 4T "$FILE"'
	rm "$FILE"
	# Its section headers are said to be at the end.
	file_trick 'truncate -s 4T "$FILE" && printf "\0\0\0\0\377\003\0\0" |
		dd of="$FILE" bs=1 seek=40 conv=notrunc status=none'
}

@test "a file that was cut short under its mapping" {
	# The page with the code must stay, or the process dies of it.
	file_trick 'dd if=/dev/zero of="$FILE" bs=4096 count=4 conv=notrunc status=none'
}

@test "another file has that name on the host" {
	# In its own namespace the process calls from a copy of true; at the same
	# path on the host a reader would wait for ever.
	local dir=$BATS_TEST_TMPDIR/dir
	mkdir "$dir"
	mkfifo "$dir/library.so"
	DIR=$dir unshare --mount sh -c '
		mount -t tmpfs none "$DIR" && cp /bin/true "$DIR/library.so" &&
		exec "$WORKLOADS/liar" 30000 100 file "$DIR/library.so"' >"$BATS_TEST_TMPDIR/pid" 3>&- &
	until [ -s "$BATS_TEST_TMPDIR/pid" ]; do sleep 0.01; done
	local pid
	pid=$(cat "$BATS_TEST_TMPDIR/pid")
	kill -USR1 "$pid"
	bounded stat -p "$pid" -I 100 --timeout 500 --csv "$CSV" 2>"$ERR"
	kill "$pid"
	equal "$(sums object cause | awk '{ print $1, $2 }')" 'library.so clock-id'
}

# library NAME: builds one whose function of that name reads a served clock.
library() {
	gcc -O2 -shared -fPIC -I "$BATS_TEST_DIRNAME/../workloads" -include ways.h -x c \
		-o "$BATS_TEST_TMPDIR/$1.so" - <<-END
		long $1(void);
		long $1(void)
		{
			struct timespec t;
			return asm_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t);
		}
	END
}

# symbols: what "why --json" said of a process's calls.
symbols() {
	/usr/bin/python3 - "$BATS_TEST_TMPDIR/json" <<-'END'
		import json, sys
		for line in open(sys.argv[1]):
		    row = json.loads(line)
		    for call in row["calls"] if row["kind"] == "process" else ():
		        print(*(call[k] for k in ("clock", "via", "object", "symbol", "cause")))
	END
}

# symbol_of PREPARE: what is said of a process that calls from its_own() in
# $DIR/library.so, in a mount namespace of its own, after PREPARE ran there; on
# the host another library lies at that place.
symbol_of() {
	local pid
	export DIR=$BATS_TEST_TMPDIR/dir
	library its_own
	library another
	mkdir "$DIR"
	cp "$BATS_TEST_TMPDIR/another.so" "$DIR/library.so"
	unshare --mount sh -c '
		mount -t tmpfs none "$DIR" && cp "$BATS_TEST_TMPDIR/its_own.so" "$DIR/library.so"
		/usr/bin/python3 -c "
import ctypes, os, sys
call = ctypes.CDLL(sys.argv[1]).its_own
print(os.getpid(), flush=True)
while True:
    call()" "$DIR/library.so" >"$BATS_TEST_TMPDIR/pid" 3>&- &
		until [ -s "$BATS_TEST_TMPDIR/pid" ]; do sleep 0.01; done
		'"$1" 3>&-
	pid=$(cat "$BATS_TEST_TMPDIR/pid")
	bounded why -d 0.5 "$pid" --json "$BATS_TEST_TMPDIR/json" >"$BATS_TEST_TMPDIR/why"
	kill "$pid"
	symbols
}

@test "the symbol is that of the process's own file, whatever the host has there" {
	equal "$(symbol_of :)" 'CLOCK_MONOTONIC direct library.so its_own direct'
}

@test "no symbol is that of another file that covers its own" {
	equal "$(symbol_of 'mount --bind "$BATS_TEST_TMPDIR/another.so" "$DIR/library.so"')" \
		'CLOCK_MONOTONIC direct library.so  unknown'
}

@test "a library in a directory that its process has made its root" {
	local pid
	library its_own
	mkdir "$BATS_TEST_TMPDIR/jail"
	mv "$BATS_TEST_TMPDIR/its_own.so" "$BATS_TEST_TMPDIR/jail/library.so"
	/usr/bin/python3 -c '
import ctypes, os, sys
call = ctypes.CDLL(sys.argv[1] + "/library.so").its_own
os.chroot(sys.argv[1])
print(os.getpid(), flush=True)
while True:
    call()' "$BATS_TEST_TMPDIR/jail" >"$BATS_TEST_TMPDIR/pid" 3>&- &
	until [ -s "$BATS_TEST_TMPDIR/pid" ]; do sleep 0.01; done
	pid=$(cat "$BATS_TEST_TMPDIR/pid")
	bounded why -d 0.5 "$pid" --json "$BATS_TEST_TMPDIR/json" >"$BATS_TEST_TMPDIR/why"
	kill "$pid"
	equal "$(symbols)" 'CLOCK_MONOTONIC direct library.so its_own direct'
}

@test "a program that was deleted, and one in a cgroup with a hostile name" {
	local root=/sys/fs/cgroup group
	[ -e $root/cgroup.procs ] || root=$root/pids
	# The kernel takes anything but a newline.
	group=$root/clocktop$$$'\e[2J 0::,"docker-\xff.scope'
	mkdir "$group"
	cp "$WORKLOADS/liar" "$BATS_TEST_TMPDIR/gone"
	sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" 20000 100 rename' - \
		"$group" "$BATS_TEST_TMPDIR/gone" 3>&- &
	local pid=$!
	until [ "$(readlink /proc/$pid/exe)" = "$BATS_TEST_TMPDIR/gone" ]; do sleep 0.01; done
	rm "$BATS_TEST_TMPDIR/gone"
	bounded stat -p $pid -I 100 --timeout 500 --csv "$CSV" 2>"$ERR"
	bounded why -d 0.3 $pid >"$BATS_TEST_TMPDIR/why" 2>"$ERR"
	kill $pid
	wait $pid || :
	rmdir "$group"
	equal "$(sums object cause | awk '{ print $1, $2 }')" 'gone clock-id'
	run ! grep -q $'\e' "$BATS_TEST_TMPDIR/why"
}
