#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The legacy vsyscall page with vsyscall=none: the process dies (139 is
# SIGSEGV) and there is nothing to count.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

expect -s 139 "no vsyscall page: the call before it counts, the process dies" \
	"$BIN/calls" 100 own:gettimeofday linger vsyscall:gettimeofday <<END
gettimeofday x86_64 - direct calls 100 0 direct
END
