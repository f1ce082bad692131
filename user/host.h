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
	char name[256];	      /* nodename; escape before showing */
	char release[128];    /* "6.1.0-44-cloud-amd64" */
	char machine[64];     /* "x86_64" */
	char hypervisor[32];  /* "KVM", "Xen", "Hyper-V", "VMware", "QEMU (TCG)", … or "" */
	char clocksource[64]; /* current, or "" when it cannot be read */
	char available[4096]; /* space-separated */
	char cmdline[4096];   /* only host_boot_parameters(), space-separated */
	int cpus;	      /* online */
};

/* Reads everything.  What cannot be read is empty; it never fails. */
void host_read(struct host *h);

/* Reads the two clocksource fields again; true when the current one changed. */
bool host_read_clocksource(struct host *h);

/* Seconds since boot. */
double host_uptime(void);

/* Whether `name` is one word of h->available. */
bool host_clocksource_available(const struct host *h, const char *name);

/* Whether a clocksource of that name can be read in user space, as far as the
 * name goes: where it is current, the vDSO knows better (served.h).
 * Source: the clocksources' vdso_clock_mode in arch/x86/kernel/, drivers/ */
enum host_able {
	HOST_ABLE_NO,	 /* hpet, acpi_pm, jiffies, …, and names that are not known */
	HOST_ABLE_MAYBE, /* by a promise of the hypervisor: kvm-clock, xen, Hyper-V's page */
	HOST_ABLE_YES,	 /* tsc; arch_sys_counter, but for CPU errata */
};
enum host_able host_clocksource_able(const char *name);

/* The value that the last `name=` among h->cmdline gives (the kernel lets the
 * last one win): copied to value, at most size bytes with the NUL.  false when
 * there is none. */
bool host_boot_parameter(const struct host *h, const char *name, char *value, size_t size);

/* Copies those words of a kernel command line that decide how the clock is
 * read: clocksource=, tsc=, notsc, hpet=, nohpet, no-kvmclock,
 * no-kvmclock-vsyscall, vdso=, vdso32=, vsyscall=; all of them, in order, up to
 * a bare "--" (what follows is init's).  Whole words only.  Pure. */
void host_boot_parameters(char *words, size_t size, const char *cmdline);

/* The hypervisor that a CPUID signature (leaf 0x40000000, 12 bytes) stands for,
 * or NULL.  Pure. */
const char *host_hypervisor_of_signature(const char signature[12]);

/* The hypervisor that the firmware's vendor and product strings stand for, or
 * NULL.  Pure. */
const char *host_hypervisor_of_firmware(const char *vendor, const char *product);

/* Whether this process is in the initial pid namespace: the ids that the
 * kernel counts by are then the ones that /proc shows.
 * Source: include/linux/proc_ns.h, PROC_PID_INIT_INO. */
bool host_initial_pid_namespace(void);

#endif
