#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The legacy vsyscall page, where the kernel emulates it.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

expect "the vsyscall page" "$BIN/calls" 100 vsyscall:gettimeofday vsyscall:time <<END
gettimeofday x86_64 - vsyscall - 100 0 vsyscall
time x86_64 - vsyscall - 100 0 vsyscall
END
