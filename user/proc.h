/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one place that reads /proc/PID.  A process can vanish between any two
 * reads, and everything it shows about itself can be hostile: nothing here
 * blocks, reads without bound, or trusts a length.
 */
#ifndef CLOCKTOP_PROC_H
#define CLOCKTOP_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads at most size - 1 bytes of /proc/PID/NAME, NUL-terminated.  Returns
 * the length or -errno. */
ssize_t proc_read(uint32_t pid, const char *name, char *buf, size_t size);

/* Start time of a process in ns after boot, rounded down to a clock tick as
 * /proc has it; 0 when it is gone. */
uint64_t proc_start_ns(uint32_t pid);

/* Whether pid is still the process that started at start_ns (within a tick). */
bool proc_is(uint32_t pid, uint64_t start_ns);

/* The command line with spaces between arguments, raw bytes; "" for none.
 * Returns the length or -errno. */
ssize_t proc_cmdline(uint32_t pid, char *buf, size_t size);

/* The first 12 hex digits of the container's id in a cgroup path (docker,
 * podman, containerd, cri-o, lxc, systemd-nspawn: the last 64- or 32-digit
 * hex word), or "".  Pure.  id has 13 bytes. */
void proc_container_of_path(const char *path, char id[13]);

/* The same for a process: reads /proc/PID/cgroup.  0 or -errno. */
int proc_container(uint32_t pid, char id[13]);

#endif
