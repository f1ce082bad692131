// SPDX-License-Identifier: GPL-2.0-only
#include "cause.h"

#include <errno.h>

#include "abi.h"

static const struct {
	const char *meaning, *remedy;
} causes[NR_CAUSE] = {
    [CAUSE_UNKNOWN] =
	{
	    "The evidence does not decide.",
	    "See what is missing; run clocktop with more privilege or while the process "
	    "lives.",
	},
    [CAUSE_CLOCKSOURCE] =
	{
	    "The vDSO fell back to a syscall because the current clocksource cannot be read "
	    "in user space, for good or for moments.",
	    "Switch to an available clocksource that can be read in user space.",
	},
    [CAUSE_CLOCK_ID] =
	{
	    "No vDSO serves this clock on any clocksource: every read is a syscall on every "
	    "host.",
	    "Read it less often, or read another clock. Another clocksource will not help.",
	},
    [CAUSE_INVALID_CLOCK] =
	{
	    "The kernel answers that there is no such clock.",
	    "Fix the program.",
	},
    [CAUSE_DENIED] =
	{
	    "A seccomp filter refuses the call.",
	    "Allow the clock calls in the filter: update libseccomp or the container runtime, "
	    "or fix its profile.",
	},
    [CAUSE_NO_VDSO] =
	{
	    "No vDSO is mapped in the process.",
	    "Remove vdso=0 or vdso32=0 from the kernel command line; expected under a tool "
	    "that unmaps the vDSO, such as a binary translator.",
	},
    [CAUSE_VDSO_MODIFIED] =
	{
	    "The calls come from inside the vDSO, but its code is not the kernel's.",
	    "Expected under the recorder or tracer that patched it; otherwise find out what "
	    "did.",
	},
    [CAUSE_LIBC] =
	{
	    "The vDSO is mapped, but the libc or runtime asks the kernel: it has no vDSO "
	    "support for this call, or did not find the vDSO.",
	    "Use a newer or another libc, or link dynamically.",
	},
    [CAUSE_DIRECT] =
	{
	    "The program itself issues the syscall.",
	    "Call the libc's function instead, which asks the vDSO.",
	},
    [CAUSE_VSYSCALL] =
	{
	    "The call goes through the legacy vsyscall page, which the kernel emulates.",
	    "Rebuild the program against a current libc, or use a newer image.",
	},
};

static const char *const missing_sentences[NR_MISSING] = {
    [MISSING_NOTHING] = "Nothing is missing.",
    [MISSING_MAPS] = "Not known: whether a vDSO is mapped in the process; it was gone, or "
		     "closed to clocktop, before it could be looked at.",
    [MISSING_VDSO] = "Not known: whether the code of the process's vDSO is the kernel's; it "
		     "could not be compared.",
    [MISSING_CALLER] = "Not known: whose code made the call.",
    [MISSING_SERVED] = "Not known: which clocks this host's vDSO serves; it could not be "
		       "asked.",
    [MISSING_SECCOMP] = "Not known: whether a seccomp filter refused the call; the process "
			"was gone, or closed to clocktop, before it could be looked at.",
    [MISSING_ANSWER] = "Not known: who gave an answer that the kernel does not give, where "
		       "no seccomp filter is installed; a tracer can.",
};

const char *cause_meaning(enum cause cause)
{
	return causes[cause < NR_CAUSE ? cause : CAUSE_UNKNOWN].meaning;
}

const char *cause_remedy(enum cause cause)
{
	return causes[cause < NR_CAUSE ? cause : CAUSE_UNKNOWN].remedy;
}

const char *missing_sentence(enum missing missing)
{
	return missing_sentences[missing < NR_MISSING ? missing : MISSING_NOTHING];
}

static struct verdict decided(enum cause cause)
{
	return (struct verdict){.cause = cause};
}

static struct verdict lacking(enum missing missing)
{
	return (struct verdict){.cause = CAUSE_UNKNOWN, .missing = missing};
}

/* Negative ids end in 011 for clocks of a file descriptor. */
static bool is_fd_clock(const struct evidence *e)
{
	return call_has_clock(e->call) && e->clock < 0 && ((uint32_t)e->clock & 7) == 3;
}

/* CLOCK_AUX … CLOCK_AUX_LAST: ENODEV says that it is not enabled. */
static bool is_aux_clock(const struct evidence *e)
{
	return call_has_clock(e->call) && e->clock >= 16 && e->clock <= 23;
}

/* Answers that say "no such clock". */
static uint64_t no_such_clock(const struct evidence *e)
{
	uint64_t n = e->calls.einval;

	if (is_aux_clock(e) && e->calls.last_outcome == ENODEV)
		n += e->calls.other;
	return n;
}

uint64_t cause_foreign_answers(const struct evidence *e)
{
	unsigned int last = e->calls.last_outcome;
	uint64_t n = e->calls.rolled_back;

	if (is_aux_clock(e) && last == ENODEV)
		return n;
	/* The driver of a clock behind an fd answers as it likes, but a missing
	 * syscall or permission is nothing it says of a read. */
	if (is_fd_clock(e) && last != ENOSYS && last != EPERM && last != EACCES &&
	    last != OUTCOME_POSITIVE)
		return n;
	return n + e->calls.other;
}

/* The larger share of the answers came from no kernel. */
static struct verdict decide_foreign(const struct evidence *e)
{
	/* A filter's own signature, seen by the kernel side. */
	if (e->calls.rolled_back)
		return decided(CAUSE_DENIED);
	if (e->seccomp == FACT_NO)
		return lacking(MISSING_ANSWER);
	/* A clock driver could have meant it. */
	if (is_fd_clock(e) && e->seccomp == FACT_UNKNOWN && e->calls.last_outcome != ENOSYS)
		return lacking(MISSING_SECCOMP);
	return decided(CAUSE_DENIED);
}

/* The larger share of the answers says "no such clock". */
static struct verdict decide_no_such_clock(const struct evidence *e)
{
	if (e->exists == SERVED_NO)
		return decided(CAUSE_INVALID_CLOCK);
	if (e->seccomp == FACT_UNKNOWN)
		return lacking(MISSING_SECCOMP);
	if (e->exists == SERVED_YES)
		return e->seccomp == FACT_YES ? decided(CAUSE_DENIED) : lacking(MISSING_ANSWER);
	/* Another task's clock, or a descriptor's, that we cannot ask about. */
	return e->seccomp == FACT_NO ? decided(CAUSE_INVALID_CLOCK) : lacking(MISSING_SECCOMP);
}

/* A clock that some vDSO serves, asked for inside the vDSO. */
static struct verdict decide_fallback(const struct evidence *e)
{
	if (e->vdso_genuine == FACT_NO)
		return decided(CAUSE_VDSO_MODIFIED);
	if (!clock_reads_counter(e->call, e->clock)) {
		/* No clocksource has a say in these: a vDSO that does not serve
		 * them now never does. */
		if (e->unserved_in_interval)
			return decided(CAUSE_CLOCK_ID);
		/* The kernel's code does not fall back here, so somebody jumped
		 * to its syscall instruction. */
		return lacking(e->vdso_genuine == FACT_YES ? MISSING_CALLER : MISSING_VDSO);
	}
	/* The kernel's code falls back for no other reason: if the clock is
	 * served before and after, it was not for moments. */
	if (e->unserved_in_interval || e->vdso_genuine == FACT_YES)
		return decided(CAUSE_CLOCKSOURCE);
	return lacking(e->served == SERVED_UNKNOWN ? MISSING_SERVED : MISSING_VDSO);
}

/* A clock that some vDSO serves, asked for outside the vDSO. */
static struct verdict decide_direct(const struct evidence *e)
{
	if (e->vdso_mapped == FACT_UNKNOWN)
		return lacking(MISSING_MAPS);
	switch (e->caller) {
	case CALLER_LIBC_WRAPPER:
	case CALLER_LIBC_OTHER:
		return decided(CAUSE_LIBC);
	case CALLER_LIBC_SYSCALL:
	case CALLER_PROGRAM:
	case CALLER_ANON:
		return decided(CAUSE_DIRECT);
	case CALLER_UNKNOWN:
	case NR_CALLER:
		break;
	}
	return lacking(MISSING_CALLER);
}

struct verdict cause_decide(const struct evidence *e)
{
	uint64_t foreign, invalid, answered;

	if (e->via == VIA_VSYSCALL)
		return decided(CAUSE_VSYSCALL);

	foreign = cause_foreign_answers(e);
	invalid = no_such_clock(e);
	/* Answers of the kernel that say nothing against the call.  A bad
	 * pointer is the caller's error and no share of anything. */
	answered = e->calls.count - e->calls.efault;
	answered = answered > foreign + invalid ? answered - foreign - invalid : 0;

	if (foreign >= invalid && foreign > answered)
		return decide_foreign(e);
	if (invalid > answered)
		return decide_no_such_clock(e);

	if (!clock_can_be_served(e->call, e->clock))
		return decided(CAUSE_CLOCK_ID);
	/* Code that lies where the vDSO was is not the vDSO. */
	if (e->vdso_mapped == FACT_NO)
		return decided(CAUSE_NO_VDSO);
	return e->via == VIA_VDSO ? decide_fallback(e) : decide_direct(e);
}
