// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host's part.  It recommends only clocksources that are available, and
 * says how sure it is that the vDSO can read one: only the current one can be
 * asked, of the others the kernel's sources tell (host_clocksource_able).
 */
#include "advice.h"

#include <math.h>
#include <string.h>

#include "abi.h"
#include "text.h"

#define CURRENT "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* The first available clocksource, other than the current one, that is so
 * able.  false when there is none. */
static bool pick(const struct host *host, enum host_able able, char *name, size_t size)
{
	health_clocksources(name, size, host, able);
	name[strcspn(name, ",")] = '\0';
	return name[0];
}

bool advice_host_helps(const struct host *host, const struct health *h)
{
	char name[sizeof(host->available)];

	if (h->cause == CAUSE_CLOCKSOURCE)
		return pick(host, HOST_ABLE_YES, name, sizeof(name)) ||
		       pick(host, HOST_ABLE_MAYBE, name, sizeof(name));
	return h->cause == CAUSE_NO_VDSO;
}

/* Why the current one is not read in user space. */
static void add_cause(struct buffer *b, const struct host *host)
{
	const char *name = host->clocksource[0] ? host->clocksource : "The current clocksource";

	switch (host_clocksource_able(host->clocksource)) {
	case HOST_ABLE_NO:
		buffer_format(b,
			      "%s cannot be read in user space, so every read of a clock that "
			      "depends on it is a syscall.\n",
			      name);
		break;
	case HOST_ABLE_MAYBE:
		buffer_format(
		    b,
		    "%s can be read in user space only while the hypervisor says that it "
		    "is stable, which it does not now: every read of a clock that depends "
		    "on it is a syscall.\n",
		    name);
		break;
	case HOST_ABLE_YES:
		buffer_format(b,
			      "%s can be read in user space on most hosts, but this kernel's vDSO "
			      "does not read it here (a CPU erratum, or a kernel built without "
			      "that): every read is a syscall.\n",
			      name);
		break;
	}
}

static void add_gain(struct buffer *b, const struct advice_gain *gain)
{
	char count[TEXT_NUMBER];

	if (!gain->calls)
		return;
	text_count(count, sizeof(count), gain->calls);
	if (isnan(gain->cpu))
		buffer_format(b, "About %s clock syscalls/s would go away.\n", count);
	else if (gain->cpu < 0.01)
		buffer_format(b, "About %s clock syscalls/s would go away, less than 0.01 CPU.\n",
			      count);
	else
		buffer_format(b, "About %s clock syscalls/s would go away, %.2f CPU.\n", count,
			      gain->cpu);
}

/* The switch to `name`, how to see that it helped, and how to keep it. */
static void add_switch(struct buffer *b, const struct host *host, const char *name)
{
	char asked[64];

	buffer_format(b, ADVICE_COMMAND "echo %s > " CURRENT "\n", name);
	buffer_format(b, ADVICE_COMMAND "cat " CURRENT "\n");
	buffer_format(b,
		      "If it does not say %s then, the kernel refused it, which it does silently; "
		      "dmesg says why. Whether the vDSO reads %s can be asked only now (%s):\n",
		      name, name,
		      host_clocksource_able(name) == HOST_ABLE_YES
			  ? "it most likely does"
			  : "if the hypervisor says that it is stable");
	buffer_text(b, ADVICE_COMMAND "clocktop check\n");
	if (!host_boot_parameter(host, "clocksource", asked, sizeof(asked)))
		buffer_format(b, "To keep it: add clocksource=%s to the kernel command line.\n",
			      name);
	else if (strcmp(asked, name) == 0)
		buffer_format(b,
			      "To keep it: clocksource=%s is on the kernel command line "
			      "already; find out what switched it since.\n",
			      name);
	else
		buffer_format(b,
			      "To keep it: replace clocksource=%s by clocksource=%s on the "
			      "kernel command line.\n",
			      asked, name);
}

static void add_risk(struct buffer *b, const struct host *host, const char *name)
{
	char value[64];

	if (strcmp(name, "tsc") != 0)
		return;
	if (host_boot_parameter(host, "tsc", value, sizeof(value)))
		buffer_format(b,
			      "Risk: the kernel was booted with tsc=%s, so it may not have checked "
			      "whether the TSCs of all CPUs agree.\n",
			      value);
	else
		buffer_text(b, "Risk: only if the kernel called tsc unstable on this host; it "
			       "did not, for then it would not be available.\n");
}

/* Why tsc is not there, as far as the boot parameters tell, and where the kernel
 * says it. */
static void add_no_tsc(struct buffer *b, const struct host *host)
{
	char value[64];

	if (!host_clocksource_available(host, "tsc") &&
	    host_boot_parameter(host, "tsc", value, sizeof(value)) && strstr(value, "unstable"))
		buffer_format(b,
			      "The kernel was booted with tsc=%s, which takes tsc off the "
			      "list: remove that.\n",
			      value);
	else if (strstr(host->cmdline, "notsc"))
		buffer_text(b, "The kernel was booted with notsc, which takes tsc off the list: "
			       "remove that.\n");
	buffer_text(b, "The kernel says why it rejected others:\n");
	buffer_text(b, ADVICE_COMMAND "dmesg | grep -i -e tsc -e clocksource\n");
	if (host->hypervisor[0])
		buffer_format(b,
			      "This is a guest: its host (%s) may have to offer it a stable "
			      "TSC (invariant, constant).\n",
			      host->hypervisor);
}

/* arm64 has one counter; drivers/clocksource/arm_arch_timer.c says when it keeps
 * the vDSO from it. */
static void add_no_arm_counter(struct buffer *b)
{
	buffer_text(b, "The kernel says whether it is for an erratum of the CPU:\n");
	buffer_text(b, ADVICE_COMMAND "dmesg | grep -i -e arch_timer -e erratum\n");
	buffer_text(b, "Then only another CPU helps, or reading the clock less often; the COARSE "
		       "clocks are served all the same.\n");
}

/* No other clocksource will do. */
static void add_none(struct buffer *b, const struct host *host)
{
	buffer_format(b, "No available clocksource (%s) can be read in user space.\n",
		      host->available);
	if (strcmp(host->clocksource, "arch_sys_counter") == 0)
		add_no_arm_counter(b);
	else
		add_no_tsc(b, host);
}

/* A recommendation that was tried before. */
static void add_refused(struct advice *a, const struct host *host, bool refused)
{
	char asked[64];

	if (host_boot_parameter(host, "clocksource", asked, sizeof(asked)) &&
	    strcmp(asked, host->clocksource) != 0) {
		if (host_clocksource_available(host, asked))
			buffer_format(&a->evidence,
				      "clocksource=%s was asked for on the kernel command line and "
				      "is not in force: it was switched since, or the kernel "
				      "refused it.\n",
				      asked);
		else
			buffer_format(&a->evidence,
				      "clocksource=%s was asked for on the kernel command line, "
				      "and the kernel refused it: it is not available.\n",
				      asked);
	}
	if (refused)
		buffer_format(&a->evidence,
			      "current_clocksource was written while clocktop ran and still says "
			      "%s: if another one was asked for, the kernel refused it.\n",
			      host->clocksource);
}

static void advise_clocksource(struct advice *a, const struct host *host,
			       const struct advice_gain *gain, bool refused)
{
	char able[sizeof(host->available)], maybe[sizeof(host->available)];

	add_cause(&a->cause, host);
	add_refused(a, host, refused);
	if (pick(host, HOST_ABLE_YES, able, sizeof(able))) {
		add_switch(&a->remedy, host, able);
		add_risk(&a->remedy, host, able);
		add_gain(&a->remedy, gain);
	} else if (pick(host, HOST_ABLE_MAYBE, maybe, sizeof(maybe))) {
		add_switch(&a->remedy, host, maybe);
		add_gain(&a->remedy, gain);
	} else {
		add_none(&a->remedy, host);
	}
}

static void advise_no_vdso(struct advice *a, const struct host *host,
			   const struct advice_gain *gain)
{
	char value[64];

	buffer_text(&a->cause, "The kernel maps no vDSO into processes, so every read of any "
			       "clock is a syscall.\n");
	if (host_boot_parameter(host, "vdso", value, sizeof(value)))
		buffer_format(&a->remedy,
			      "Remove vdso=%s from the kernel command line, and boot again.\n",
			      value);
	else
		buffer_text(&a->remedy,
			    "vdso=0 is not on the kernel command line: either the kernel was "
			    "built without a vDSO, or a tool that clocktop runs under hides it.\n");
	add_gain(&a->remedy, gain);
}

void advice_host(struct advice *a, const struct host *host, const struct health *h,
		 const struct advice_gain *gain, bool refused)
{
	if (h->cause == CAUSE_CLOCKSOURCE)
		advise_clocksource(a, host, gain, refused);
	else if (h->cause == CAUSE_NO_VDSO)
		advise_no_vdso(a, host, gain);
}

bool advice_is_of_host(const struct finding *f, const struct record *r, const struct health *h)
{
	if (h->cause == CAUSE_NO_VDSO)
		return f->verdict.cause == CAUSE_NO_VDSO && f->vdso != WHERE_VDSO_UNMAPPED &&
		       r->abi == abi_host();
	return h->cause == CAUSE_CLOCKSOURCE && f->verdict.cause == CAUSE_CLOCKSOURCE &&
	       f->evidence.served == SERVED_NO;
}
