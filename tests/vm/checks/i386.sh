#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# 32-bit programs on an x86-64 kernel.  glibc reads all of these clocks with
# clock_gettime64, and has no vDSO function to ask for a resolution with.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

READS="libc:clock_gettime:REALTIME libc:clock_gettime:MONOTONIC libc:gettimeofday
	libc:clock_gettime:MONOTONIC_COARSE libc:time libc:clock_gettime:PROCESS_CPUTIME_ID"

for link in static dynamic; do
	case $link in
	static) program=$BIN/calls-i386 libc=calls-i386 ;;
	dynamic) program=$BIN/calls-i386-dynamic libc=libc.so.6 ;;
	esac
	clocksource tsc || exit
	# shellcheck disable=SC2086 # a word each
	expect "i386, $link: only CPU clocks under tsc" "$program" 100 $READS <<-END
		clock_gettime64 i386 CLOCK_PROCESS_CPUTIME_ID vdso - 100 0 clock-id
	END
	clocksource hpet || exit
	# shellcheck disable=SC2086
	expect "i386, $link: what reads the counter falls back under hpet" "$program" 100 $READS <<-END
		clock_gettime64 i386 CLOCK_REALTIME vdso - 200 0 clocksource
		clock_gettime64 i386 CLOCK_MONOTONIC vdso - 100 0 clocksource
		clock_gettime64 i386 CLOCK_PROCESS_CPUTIME_ID vdso - 100 0 clock-id
	END
	expect "i386, $link: the libc has no vDSO support for clock_getres" \
		"$program" 100 libc:clock_getres:MONOTONIC linger <<-END
		clock_getres_time64 i386 CLOCK_MONOTONIC direct $libc 100 0 libc
	END
	expect "i386, $link: syscall() of the libc is no fallback" "$program" 100 \
		raw:clock_gettime:MONOTONIC raw:clock_gettime64:MONOTONIC raw:gettimeofday raw:time \
		raw:clock_getres raw:clock_getres_time64 linger <<-END
		clock_gettime i386 CLOCK_MONOTONIC direct $libc 100 0 direct
		clock_gettime64 i386 CLOCK_MONOTONIC direct $libc 100 0 direct
		gettimeofday i386 - direct $libc 100 0 direct
		time i386 - direct $libc 100 0 direct
		clock_getres i386 CLOCK_REALTIME direct $libc 100 0 direct
		clock_getres_time64 i386 CLOCK_REALTIME direct $libc 100 0 direct
	END
	expect "i386, $link: int \$0x80 in the program's own text" "$program" 100 \
		own:clock_gettime:MONOTONIC own:bad:gettimeofday own:clock_gettime64:99 linger <<-END
		clock_gettime i386 CLOCK_MONOTONIC direct ${program##*/} 100 0 direct
		gettimeofday i386 - direct ${program##*/} 100 100 direct
		clock_gettime64 i386 CLOCK(99) direct ${program##*/} 100 100 invalid-clock
	END
done

# getpriority, geteuid32, fsetxattr, getxattr: clock calls of x86-64.  113 and
# 169 are those of arm64.
expect "i386: numbers of other tables are no clock calls" "$BIN/calls-i386" 10 own:time \
	own:number:96 own:number:201 own:number:228 own:number:229 own:number:113 own:number:169 \
	own:number:263 raw:number:96 raw:number:228 linger <<END
time i386 - direct calls-i386 10 0 direct
END

expect "int \$0x80 in a 64-bit program is a call of the i386 table" "$BIN/calls" 10 \
	int80:clock_gettime:MONOTONIC int80:clock_gettime64:BOOTTIME int80:gettimeofday int80:time \
	int80:clock_getres int80:clock_getres_time64 own:clock_gettime:MONOTONIC \
	int80:number:96 int80:number:201 int80:number:228 int80:number:229 linger <<END
clock_gettime i386 CLOCK_MONOTONIC direct calls 10 0 direct
clock_gettime64 i386 CLOCK_BOOTTIME direct calls 10 0 direct
gettimeofday i386 - direct calls 10 0 direct
time i386 - direct calls 10 0 direct
clock_getres i386 CLOCK_REALTIME direct calls 10 0 direct
clock_getres_time64 i386 CLOCK_REALTIME direct calls 10 0 direct
clock_gettime x86_64 CLOCK_MONOTONIC direct calls 10 0 direct
END

# A filter that knows nothing of 403, as older container runtimes had them.
# EPERM is 1.
clocksource hpet || exit
expect "i386: a seccomp filter refuses clock_gettime64" \
	"$BIN/refuse" i386 403 1 "$BIN/calls-i386-dynamic" 100 libc:clock_gettime:MONOTONIC <<END
clock_gettime64 i386 CLOCK_MONOTONIC vdso - 100 100 denied
END
clocksource tsc || exit
echo 0 > /proc/sys/abi/vsyscall32
expect "abi.vsyscall32=0: 32-bit programs have no vDSO from then on" "$BIN/calls-i386" 100 \
	libc:clock_gettime:MONOTONIC <<END
clock_gettime64 i386 CLOCK_MONOTONIC direct calls-i386 100 0 no-vdso
END
echo 1 > /proc/sys/abi/vsyscall32
