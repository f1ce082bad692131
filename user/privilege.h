/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Least privilege: gives up what is no longer needed once the programs are
 * attached and the output files are open.
 */
#ifndef CLOCKTOP_PRIVILEGE_H
#define CLOCKTOP_PRIVILEGE_H

#include <stddef.h>

/* Keeps of the capabilities that this process has only
 *
 *   CAP_BPF             until Linux 5.19 every bpf(2) call asks for it where
 *                       unprivileged BPF is off, reading a map included
 *   CAP_PERFMON         goes with it: a tracing program needs both to be
 *                       loaded or attached
 *   CAP_SYS_PTRACE      the maps, executable and vDSO of other users' processes
 *   CAP_DAC_READ_SEARCH files that only those users can read
 *
 * as permitted and effective; none is inheritable, ambient or, where
 * CAP_SETPCAP allows it, in the bounding set.  Sets no_new_privs.  The user
 * ids stay: root without these capabilities may still open what root owns.
 *
 * For the calling thread and those it starts from then on: call it while
 * there is no other.  It cannot be undone, so COMMAND must have been forked
 * before.  0 or -errno; on an error the process has what it had, or less. */
int privilege_drop(void);

#endif
