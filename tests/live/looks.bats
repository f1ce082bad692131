#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Processes that end in the middle of an interval: the evidence for their cause
# has to be collected while they live.

load helper

@test "a program that ends before its only interval does has its cause" {
	stat_csv -- "$WORKLOADS/calls" -u 300000 4 gettime 1 asm
	equal "$(sums comm syscall object cause)" "calls clock_gettime calls direct 4 0"
}

@test "so has one that begins late in it" {
	stat_csv -- sh -c 'sleep 1.5; "$0" -u 400000 5 gettime 1 asm; sleep 0.5' "$WORKLOADS/calls"
	equal "$(sums comm syscall object cause)" "calls clock_gettime calls direct 5 0"
}
