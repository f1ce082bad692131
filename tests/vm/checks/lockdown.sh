#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A kernel that is locked down: for integrity nothing changes, for
# confidentiality BPF programs may not read its memory.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

mount -t securityfs none /sys/kernel/security
echo integrity > /sys/kernel/security/lockdown
expect "locked down for integrity: counts" "$BIN/calls" 100 own:gettimeofday linger <<END
gettimeofday $(native_abi) - direct calls 100 0 direct
END
echo confidentiality > /sys/kernel/security/lockdown
refuses "locked down for confidentiality: says so" "locked down for confidentiality" \
	"$CLOCKTOP" stat true
"$CLOCKTOP" check > out 2>&1
match "locked down for confidentiality: check works" "healthy: "
