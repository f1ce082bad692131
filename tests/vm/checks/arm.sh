#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# 32-bit arm programs on an arm64 kernel.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

expect "arm: direct calls" "$BIN/calls-arm" 100 raw:clock_gettime:MONOTONIC raw:clock_gettime64:TAI \
	own:gettimeofday own:clock_getres own:clock_getres_time64 linger <<END
clock_gettime arm CLOCK_MONOTONIC direct calls-arm 100 0 direct
clock_gettime64 arm CLOCK_TAI direct calls-arm 100 0 direct
gettimeofday arm - direct calls-arm 100 0 direct
clock_getres arm CLOCK_REALTIME direct calls-arm 100 0 direct
clock_getres_time64 arm CLOCK_REALTIME direct calls-arm 100 0 direct
END
expect "arm: numbers of other tables are no clock calls" "$BIN/calls-arm" 10 own:gettimeofday \
	own:number:96 own:number:113 own:number:201 own:number:228 own:number:229 linger <<END
gettimeofday arm - direct calls-arm 10 0 direct
END
# glibc has no vDSO function to ask for a resolution with.
expect "arm: the libc" "$BIN/calls-arm" 100 libc:clock_gettime:MONOTONIC libc:gettimeofday \
	libc:clock_gettime:PROCESS_CPUTIME_ID libc:clock_getres linger <<END
clock_gettime64 arm CLOCK_PROCESS_CPUTIME_ID vdso - 100 0 clock-id
clock_getres_time64 arm CLOCK_REALTIME direct calls-arm 100 0 libc
END
