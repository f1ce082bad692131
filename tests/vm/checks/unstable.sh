#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel rejected tsc: it is no remedy, and no other clocksource is.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

# shellcheck disable=SC2086 # a word each
fallbacks x86_64 100 clocksource | expect "a rejected tsc: calls fall back" "$BIN/calls" 100 $COUNTER_READS

readers_start 1
"$CLOCKTOP" why > out 2>&1
available=$(sed 's/ $//' $CLOCKSOURCES/available_clocksource)
match "a rejected tsc: why does not recommend it, and says why" \
	"remedy *No available clocksource ($available) can be read in user space" \
	"booted with tsc=unstable, which takes tsc off" \
	"!echo [a-z_]* >" "!host's remedy"
verdict "a rejected tsc: check knows no other" 1 "none of those available is able"
readers_stop
