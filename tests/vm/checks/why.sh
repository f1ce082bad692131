#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The diagnosis of a host with a bad clocksource, its remedy, and the verdict
# for scripts.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

# Two programs that go on reading the clock.
readers_start 2

clocksource hpet || exit
"$CLOCKTOP" why > out 2>&1
match "hpet: why names the cause and the remedy" \
	"^ *not served: REALTIME, MONOTONIC, MONOTONIC_RAW, BOOTTIME, TAI, gettimeofday$" \
	"^ *served in user space now: REALTIME_COARSE, MONOTONIC_COARSE, time$" \
	"^ *cause *clocksource: hpet cannot be read in user space" "^ *remedy *echo tsc > "
once "hpet: why says the cause of both processes once" "cause *clocksource:"
remedy=$(sed -n 's/^ *remedy *\(echo [a-z_]* > [^ ]*\)$/\1/p' out)
verdict "hpet: check says so" 1 "hpet serves none of REALTIME, MONOTONIC, MONOTONIC_RAW, BOOTTIME, TAI, gettimeofday"

eval "$remedy"
# shellcheck disable=SC2086 # a word each
"$CLOCKTOP" why $readers > out 2>&1
match "after the remedy: both zeros are explained" "calls, pid .*no clock syscalls in" "!cause *clocksource"
verdict "after the remedy: check is content" 0 "healthy: .*clocksource tsc"

readers_stop
