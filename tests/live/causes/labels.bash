# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The labelled collection: situations, each with the cause that a kernel
# engineer names, and where strace must see its calls come from, so that a label
# is a fact before clocktop is asked.
#
#   label NAME FRAME ROWS COMMAND...
#
# COMMAND makes the calls, $COUNT of them with a pause after each.  ROWS are all
# its records, a line each: "syscall abi clock via object cause errors", a dash
# for an empty field, the number in CPU(...) left out, errors "none", "all" or
# "some" of the calls; no rows for an innocent one, which must stay silent.
# FRAME is the first line of strace's stack trace of each call, as far as it is
# given here: "[vdso]", "/calls(make_calls+", "none" for code in no file, or of
# which strace does not say.  Where strace cannot be asked FRAME is
# "untraceable".
#
# B is the folder of the programs built by build.bash.
# shellcheck disable=SC2016 # shells, Python and Perl expand what stands in quotes

# A host without a clock that wakes it refuses alarm clocks.
alarm_label() {
	if python3 -c 'import time; time.clock_gettime(9)' 2>/dev/null; then
		printf '%s' "clock_gettime $ABI CLOCK_BOOTTIME_ALARM vdso - clock-id none"
	else
		printf '%s' "clock_gettime $ABI CLOCK_BOOTTIME_ALARM vdso - invalid-clock all"
	fi
}

# label_direct NAME FRAME OBJECT COMMAND...: calls of CLOCK_MONOTONIC.
label_direct() {
	local name=$1 frame=$2 object=$3
	shift 3
	label "$name" "$frame" "clock_gettime $ABI CLOCK_MONOTONIC direct $object direct none" "$@"
}

label_all() {
	local calls=$WORKLOADS/calls odd=$WORKLOADS/odd refused=$WORKLOADS/refused
	local mono="clock_gettime $ABI CLOCK_MONOTONIC"
	local cpu="clock_gettime $ABI CLOCK_PROCESS_CPUTIME_ID"
	local thread="clock_gettime $ABI CLOCK_THREAD_CPUTIME_ID"
	local slow=(-u 5000 "$COUNT")

	# Clocks that no vDSO serves.
	label cpu-time "[vdso]" "$cpu vdso - clock-id none" "$calls" "${slow[@]}" gettime 2 libc
	label thread-cpu-time "[vdso]" "$thread vdso - clock-id none" \
		"$calls" "${slow[@]}" gettime 3 libc
	label cpu-time-by-syscall "/libc.so.6(syscall+" "$cpu direct libc.so.6 clock-id none" \
		"$calls" "${slow[@]}" gettime 2 raw
	label cpu-time-resolution "[vdso]" \
		"clock_getres $ABI CLOCK_PROCESS_CPUTIME_ID vdso - clock-id none" \
		"$calls" "${slow[@]}" getres 2 libc
	label cpu-clock-of-init "[vdso]" "clock_gettime $ABI CPU(pid) vdso - clock-id none" \
		"$calls" "${slow[@]}" gettime pid:1 libc
	label alarm "[vdso]" "$(alarm_label)" "$calls" "${slow[@]}" gettime 9 libc
	label python-process-time "[vdso]" "$cpu vdso - clock-id none" \
		python3 -c "import time; [(time.process_time(), time.sleep(.005)) for i in range($COUNT)]"
	label perl-process-time "[vdso]" "$cpu vdso - clock-id none" \
		perl -MTime::HiRes=:DEFAULT,clock_gettime,CLOCK_PROCESS_CPUTIME_ID,usleep \
		-e 'clock_gettime(CLOCK_PROCESS_CPUTIME_ID), usleep(5000) for 1..shift' "$COUNT"
	label java-thread-cpu-time "[vdso]" "$thread vdso - clock-id none" \
		java -cp "$B" Reads cpu "$COUNT"
	label moved-vdso "[vdso]" "$cpu vdso - clock-id none" "$odd" "$COUNT" moved

	# Clocks that are not there.
	label no-such-clock "[vdso]" "clock_gettime $ABI CLOCK(99) vdso - invalid-clock all" \
		"$calls" "${slow[@]}" gettime 99 libc
	label no-such-clock-by-syscall "/libc.so.6(syscall+" \
		"clock_gettime $ABI CLOCK(12) direct libc.so.6 invalid-clock all" \
		"$calls" "${slow[@]}" gettime 12 raw
	label cpu-clock-of-nobody "[vdso]" "clock_gettime $ABI CPU(pid) vdso - invalid-clock all" \
		"$calls" "${slow[@]}" gettime pid:4194303 libc
	label cpu-clock-of-another-thread "[vdso]" \
		"clock_gettime $ABI CPU(tid) vdso - invalid-clock all" \
		"$calls" "${slow[@]}" gettime tid:1 libc
	label no-clock-descriptor "[vdso]" "clock_gettime $ABI FD(77) vdso - invalid-clock all" \
		"$calls" "${slow[@]}" gettime fd:77 libc
	label file-as-clock "[vdso]" "clock_gettime $ABI FD(0) vdso - invalid-clock all" \
		sh -c 'exec "$@" </etc/passwd' sh "$calls" "${slow[@]}" gettime fd:0 libc
	label no-such-clock-under-a-filter "[vdso]" \
		"clock_gettime $ABI CLOCK(99) vdso - invalid-clock all" \
		"$refused" "$COUNT" gettime 99 libc other 5000

	# Refused by seccomp.
	label refused-with-eperm "/libc.so.6(syscall+" "$mono direct libc.so.6 denied all" \
		"$refused" "$COUNT" gettime 1 raw errno 5000
	label refused-with-einval "/libc.so.6(syscall+" "$mono direct libc.so.6 denied all" \
		"$odd" "$COUNT" einval
	label refused-by-a-trap "[vdso]" "$cpu vdso - denied all" "$refused" "$COUNT" gettime 2 libc trap 5000
	label answered-by-a-supervisor "[vdso]" "$cpu vdso - denied all" \
		"$refused" "$COUNT" gettime 2 libc notify 5000
	label filtered-but-allowed "/libc.so.6(syscall+" "$mono direct libc.so.6 direct none" \
		"$refused" "$COUNT" gettime 1 raw other 5000
	label refused-in-one-thread-of-two "/libc.so.6(syscall+" \
		"$mono direct libc.so.6 direct some" "$odd" "$COUNT" some

	# No vDSO, or not the kernel's.
	label unmapped-vdso "/libc.so.6(syscall+" "$mono direct libc.so.6 no-vdso none" \
		"$odd" "$COUNT" unmapped
	label other-code-in-its-place none "$mono vdso - no-vdso none" "$odd" "$COUNT" refilled
	label under-valgrind "/memcheck-" "$mono direct $(valgrind_tool) no-vdso none" \
		valgrind -q "$calls" "${slow[@]}" gettime 1 libc
	label patched-vdso "[vdso]" "$mono vdso - vdso-modified none" "$odd" "$COUNT" patched

	# The libc's doing.
	label hidden-vdso untraceable "$mono direct libc.so.6 libc none" \
		"$WORKLOADS/novdso" "$calls" "${slow[@]}" gettime 1 libc
	label klibc-gettimeofday "/klibc-" \
		"gettimeofday $ABI - direct $(klibc_object) libc none" "$B/plain-klibc" "$COUNT" gettimeofday 0
	label klibc-static-time "/plain-klibc-static(__syscall_common+" \
		"time $ABI - direct plain-klibc-static libc none" "$B/plain-klibc-static" "$COUNT" time 0
	label musl-resolution "/libc.so(clock_getres+" \
		"clock_getres $ABI CLOCK_MONOTONIC direct libc.so libc none" \
		"$B/plain-musl" "$COUNT" getres 1
	label musl-static-resolution "/plain-musl-static(clock_getres+" \
		"clock_getres $ABI CLOCK_MONOTONIC direct plain-musl-static libc none" \
		"$B/plain-musl-static" "$COUNT" getres 1

	# The program's doing.
	label_direct by-syscall "/libc.so.6(syscall+" libc.so.6 "$calls" "${slow[@]}" gettime 1 raw
	label_direct own-text "/calls(make_calls+" calls "$calls" "${slow[@]}" gettime 1 asm
	label_direct static-by-syscall "/calls-static(syscall+" calls-static \
		"$B/calls-static" "${slow[@]}" gettime 1 raw
	label_direct static-own-text "/calls-static(" calls-static \
		"$B/calls-static" "${slow[@]}" gettime 1 asm
	label_direct musl-by-syscall "/libc.so(syscall+" libc.so "$B/calls-musl" "${slow[@]}" gettime 1 raw
	label_direct go-by-syscall "/reads-go(runtime/internal/syscall.Syscall6+" reads-go \
		"$B/reads-go" raw "$COUNT"
	label_direct go-stripped-by-syscall "/reads-go-stripped" reads-go-stripped \
		"$B/reads-go-stripped" raw "$COUNT"
	label_direct python-by-syscall "/libc.so.6(syscall+" libc.so.6 python3 -c \
		"import ctypes, time
libc = ctypes.CDLL(None)
for i in range($COUNT): libc.syscall($(clock_gettime_number), 1, bytes(16)), time.sleep(.005)"
	label_direct jit none "[anon]" "$odd" "$COUNT" jit
	label_direct preloaded-shim "/shim.so(clock_gettime+" shim.so \
		env LD_PRELOAD="$B/shim.so" "$B/plain" "$COUNT" gettime 1
	label gettimeofday-by-syscall "/libc.so.6(syscall+" \
		"gettimeofday $ABI - direct libc.so.6 direct none" \
		"$calls" "${slow[@]}" gettimeofday - raw
	label bad-pointer "/libc.so.6(syscall+" "$mono direct libc.so.6 direct all" \
		"$calls" -b "${slow[@]}" gettime 1 raw
	label_direct first-thread-ended "/libc.so.6(syscall+" libc.so.6 "$odd" "$COUNT" unnamed
	label_direct deleted-program "/odd-copy (deleted)(" odd-copy \
		sh -c 'cp "$1" "$2" && exec "$2" "$3" deleted' sh "$odd" "$B/odd-copy" "$COUNT"
	label_direct hostile-name "/libc.so.6(syscall+" libc.so.6 "$odd" "$COUNT" named
	label_direct in-a-time-namespace "/libc.so.6(syscall+" libc.so.6 \
		unshare -T --fork --monotonic 100000 "$calls" "${slow[@]}" gettime 1 raw
	# strace does not always find the symbols of a file that it cannot reach.
	label_direct in-a-container "/hidden(" hidden \
		unshare -m -p -i -u --fork --mount-proc sh -c 'mount -t tmpfs none /mnt &&
		cp "$1" /mnt/hidden && shift && exec /mnt/hidden "$@"' sh "$calls" "${slow[@]}" gettime 1 asm
	label_direct in-a-chroot "/calls-static(" calls-static \
		unshare -m sh -c 'mount -t tmpfs none /mnt && cp "$1" /mnt && shift &&
		exec chroot /mnt /calls-static "$@"' sh "$B/calls-static" "${slow[@]}" gettime 1 asm
	label_direct under-strace untraceable libc.so.6 \
		strace -f -o /dev/null "$calls" "${slow[@]}" gettime 1 raw

	# What the evidence does not decide: a static program without symbols does
	# not tell its libc from itself.
	label static-without-symbols "/calls-stripped" "$mono direct calls-stripped unknown none" \
		"$B/calls-stripped" "${slow[@]}" gettime 1 asm

	if [ -n "$(vsyscall_works)" ]; then
		label vsyscall-page untraceable "time $ABI - vsyscall - vsyscall none" \
			"$calls" "${slow[@]}" time - vsyscall
	fi
	if [ "$ABI" = x86_64 ]; then
		label int-0x80 none \
			"clock_gettime i386 CLOCK_MONOTONIC direct calls direct none" \
			"$calls" "${slow[@]}" gettime 1 int80
	fi

	# The innocent.
	local clock
	for clock in 0 1 4 5 6 7 11; do
		label "served-$clock" "[vdso]" "" "$calls" "${slow[@]}" gettime "$clock" libc
	done
	label served-gettimeofday "[vdso]" "" "$calls" "${slow[@]}" gettimeofday - libc
	label served-time "[vdso]" "" "$calls" "${slow[@]}" time - libc
	label served-resolution "[vdso]" "" "$calls" "${slow[@]}" getres 1 libc
	label python-time "[vdso]" "" python3 -c \
		"import time; [(time.time(), time.monotonic(), time.sleep(.005)) for i in range($COUNT)]"
	# It asks for a resolution when it starts.
	label java-time untraceable "" java -cp "$B" Reads time "$COUNT"
	label go-time "[vdso]" "" "$B/reads-go" now "$COUNT"
	label bash-time "[vdso]" "" bash -c 'for ((i = 0; i < $1; i++)); do
		: "$EPOCHREALTIME" "$SECONDS"; times; sleep 0.05; done' bash "$COUNT"
	label busybox-time "[vdso]" "" busybox sh -c 'i=0; while [ $i -lt "$1" ]; do
		date; time true; i=$((i + 1)); sleep 0.05; done' sh "$COUNT"
	label musl-time "[vdso]" "" "$B/plain-musl" "$COUNT" gettime 1
	label musl-static-time "[vdso]" "" "$B/plain-musl-static" "$COUNT" time 0
	label glibc-static-time "[vdso]" "" "$B/plain-static" "$COUNT" gettime 1
	label preloaded-innocent "[vdso]" "" \
		env LD_PRELOAD="$B/innocent.so" "$B/plain" "$COUNT" gettime 1
	label served-in-a-time-namespace "[vdso]" "" \
		unshare -T --fork --monotonic 100000 "$calls" "${slow[@]}" gettime 1 libc
	label served-in-a-container "[vdso]" "" \
		unshare -m -p -i -u --fork --mount-proc "$calls" "${slow[@]}" gettime 0 libc
	label served-under-a-filter "[vdso]" "" "$refused" "$COUNT" gettime 1 libc errno 5000
	label served-under-strace untraceable "" \
		strace -f -o /dev/null "$calls" "${slow[@]}" gettime 1 libc
}

valgrind_tool() {
	case $ABI in
	x86_64) echo memcheck-amd64-linux ;;
	*) echo "memcheck-$ABI-linux" ;;
	esac
}

clock_gettime_number() {
	case $ABI in
	x86_64) echo 228 ;;
	*) echo 113 ;;
	esac
}

klibc_object() {
	basename /lib/klibc-*.so
}

# Whether the legacy page is there, and not only for show.
vsyscall_works() {
	grep -q vsyscall /proc/self/maps && "$WORKLOADS/calls" 1 time - vsyscall && echo yes
}
