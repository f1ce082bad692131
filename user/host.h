/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this host is: kernel, hypervisor, clocksource, boot parameters.
 * Reads /sys and /proc files of the host, never of a process.
 */
#ifndef CLOCKTOP_HOST_H
#define CLOCKTOP_HOST_H

#include <stdbool.h>
#include <stddef.h>

struct host {
	char name[256];       /* nodename; escape before showing */
	char release[128];    /* "6.1.0-44-cloud-amd64" */
	char machine[64];     /* "x86_64" */
	char hypervisor[32];  /* "KVM", "Xen", "Hyper-V", "VMware", "QEMU (TCG)", … or "" */
	char clocksource[64]; /* current, or "" when it cannot be read */
	char available[256];  /* space-separated */
	char cmdline[512];    /* only clocksource=, tsc=, vdso=, vdso32=, vsyscall=, space-separated */
	int cpus;             /* online */
};

/* Reads everything.  What cannot be read is empty; it never fails. */
void host_read(struct host *h);

/* Reads the two clocksource fields again; true when the current one changed. */
bool host_read_clocksource(struct host *h);

/* Seconds since boot. */
double host_uptime(void);

/* Whether `name` is one word of h->available. */
bool host_clocksource_available(const struct host *h, const char *name);

/* Whether this process is in the initial pid namespace: the ids that the
 * kernel counts by are then the ones that /proc shows.
 * Source: include/linux/proc_ns.h, PROC_PID_INIT_INO. */
bool host_initial_pid_namespace(void);

#endif
