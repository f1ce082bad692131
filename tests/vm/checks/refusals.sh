#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Places where clocktop cannot measure say so, with exit status 3; and the
# program alone is enough: an empty container holds nothing else.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

refuses "without privilege: names the capabilities" "CAP_BPF and CAP_PERFMON.*sudo" \
	su nobody -s /bin/sh -c "$CLOCKTOP stat true"
refuses "in a pid namespace of its own: says so" "pid namespace" \
	unshare -m -p -f sh -c "mount -t proc proc /proc && '$CLOCKTOP' stat true"
refuses "without BTF: says so" "BTF" \
	unshare -m sh -c "mount -t tmpfs none /sys/kernel && '$CLOCKTOP' stat true"

mkdir -p scratch/proc scratch/sys
cp "$CLOCKTOP" "$BIN/calls" scratch/
mount -t proc proc scratch/proc
mount -t sysfs sys scratch/sys
sort > expected <<END
gettimeofday $(native_abi) - direct calls 100 0 direct
clock_gettime $(native_abi) CLOCK_PROCESS_CPUTIME_ID vdso - 100 0 clock-id
END
rm -f counts.csv
unshare -m -u -i -n chroot scratch /clocktop stat --csv /counts.csv -- \
	/calls 100 own:gettimeofday libc:clock_gettime:PROCESS_CPUTIME_ID linger > out 2>&1
mv scratch/counts.csv .
judge "alone in an empty container, with the host's pid namespace"
umount scratch/proc scratch/sys
