#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Calls that the program itself makes, x86-64, whatever the clocksource is.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

expect "a direct call is direct" "$BIN/calls" 10 \
	raw:clock_gettime:MONOTONIC own:clock_gettime:MONOTONIC own:gettimeofday raw:time linger <<END
clock_gettime x86_64 CLOCK_MONOTONIC direct calls 20 0 direct
gettimeofday x86_64 - direct calls 10 0 direct
time x86_64 - direct calls 10 0 direct
END

expect "clocks that do not exist, pointers that are bad" "$BIN/calls" 10 \
	libc:clock_gettime:99 own:bad:clock_gettime:MONOTONIC own:bad:gettimeofday own:bad:time linger <<END
clock_gettime x86_64 CLOCK(99) vdso - 10 10 invalid-clock
clock_gettime x86_64 CLOCK_MONOTONIC direct calls 10 10 direct
gettimeofday x86_64 - direct calls 10 10 direct
time x86_64 - direct calls 10 10 direct
END

# These are rt_sigaction, getdents, linkat, symlinkat and three that x86-64 has
# not; the first clock call is the control.
expect "numbers of other tables are no clock calls" "$BIN/calls" 10 own:clock_gettime \
	own:number:13 own:number:78 own:number:265 own:number:266 own:number:403 own:number:406 \
	own:number:113 own:number:169 own:number:263 linger <<END
clock_gettime x86_64 CLOCK_REALTIME direct calls 10 0 direct
END
