/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a call was not served in user space: the one place that decides.  A
 * pure function over evidence, and the sentences that go with each cause.
 * It reads nothing; evidence.c collects.
 */
#ifndef CLOCKTOP_CAUSE_H
#define CLOCKTOP_CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"
#include "served.h"

/* Three-valued facts: what was not looked at must not be guessed. */
enum fact {
	FACT_UNKNOWN,
	FACT_NO,
	FACT_YES,
};

/* Whose code holds the syscall instruction of a direct call. */
enum caller {
	CALLER_UNKNOWN,
	CALLER_LIBC_WRAPPER, /* a libc's or runtime's own wrapper for this clock call */
	CALLER_LIBC_SYSCALL, /* a libc's or runtime's generic syscall() */
	CALLER_LIBC_OTHER,   /* a shared libc, in a function that is neither */
	CALLER_PROGRAM,	     /* another mapped file: the program's own text */
	CALLER_ANON,	     /* memory without a file: a JIT, usually */
	NR_CALLER,
};

/* All that a cause is decided from. */
struct evidence {
	enum call call;
	enum abi abi;
	enum via via;
	int32_t clock;
	struct tally calls;
	/* Of this host, over the interval in which the calls were made. */
	enum served_state served;  /* at its end, native ABI */
	bool unserved_in_interval; /* at any moment known in it */
	enum served_state exists;  /* the kernel knows this clock id */
	/* Of the process. */
	enum fact vdso_mapped;
	enum fact vdso_genuine; /* its code is the kernel's */
	enum fact seccomp;	/* a filter is installed */
	enum caller caller;
};

/* What was missing when the cause is unknown. */
enum missing {
	MISSING_NOTHING,
	MISSING_MAPS,	 /* whether the vDSO is mapped: the process was gone or closed to us */
	MISSING_VDSO,	 /* whether its vDSO's code is the kernel's */
	MISSING_CALLER,	 /* whose code made the call */
	MISSING_SERVED,	 /* what this host serves could not be asked */
	MISSING_SECCOMP, /* whether a filter refused it */
	MISSING_ANSWER,	 /* who gave an answer that neither kernel nor filter gives */
	NR_MISSING,
};

struct verdict {
	enum cause cause;
	enum missing missing; /* when the cause is CAUSE_UNKNOWN */
};

/* Decides.  The order: the legacy page; who answered (the larger share of the
 * answers, bad pointers left aside); whether any vDSO serves the clock; and
 * then why this one did not. */
struct verdict cause_decide(const struct evidence *e);

/* Answers of e->calls that the kernel itself never gives to such a call: a
 * filter or a tracer gave them.  Source: kernel/time/posix-timers.c,
 * posix-cpu-timers.c, posix-clock.c, timekeeping.c (aux). */
uint64_t cause_foreign_answers(const struct evidence *e);

/* The word's rule and what to do in a sentence each, for help and docs. */
const char *cause_meaning(enum cause cause);
const char *cause_remedy(enum cause cause);
const char *missing_sentence(enum missing missing);

#endif
