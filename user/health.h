/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verdicts of `check`: whether this host's vDSO serves the clocks that it
 * should, and which processes make too many clock syscalls.  Pure functions
 * over what was measured; they print nothing.
 */
#ifndef CLOCKTOP_HEALTH_H
#define CLOCKTOP_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"
#include "record.h"
#include "served.h"

/* gettimeofday, time, and clock_gettime of each clock. */
#define HEALTH_CALLS (NR_CLOCKS + 2)

/* A call that takes its answer from the vDSO or from the kernel. */
struct health_call {
	enum call call;
	int32_t clock;
};

struct health_calls {
	struct health_call call[HEALTH_CALLS];
	size_t nr;
};

/* What this host does with the clocks that its kernel knows and that a vDSO
 * serves on a good clocksource. */
struct health {
	/* CAUSE_CLOCKSOURCE or CAUSE_NO_VDSO when it is not healthy, CAUSE_UNKNOWN
	 * when it is. */
	enum cause cause;
	struct health_calls served;
	struct health_calls unserved; /* the cause's work */
	struct health_calls lacking;  /* no clocksource would help: this kernel's vDSO does
				       * not know them (MONOTONIC_RAW before 5.3, …).  They
				       * do not make a host unhealthy. */
};

/* Judges.  s must come from a served_ask() that succeeded. */
void health_of_host(const struct served *s, struct health *h);

static inline bool health_is_good(const struct health *h)
{
	return h->cause == CAUSE_UNKNOWN;
}

/* "REALTIME, MONOTONIC, gettimeofday": the calls' names, written to buf and
 * NUL-terminated.  HEALTH_NAMES bytes always suffice.  Returns buf. */
#define HEALTH_NAMES (HEALTH_CALLS * 40)
char *health_names(char *buf, size_t size, const struct health_calls *calls);

/* The words of h->available, other than the current clocksource, that are
 * `able`, comma-separated in buf; "" for none.  Returns buf. */
char *health_clocksources(char *buf, size_t size, const struct host *h, enum host_able able);

/* What the processes did, added up over intervals. */
struct health_process {
	struct proc_id proc;
	uint32_t uid;
	char comm[TASK_COMM]; /* raw bytes */
	uint64_t count;	      /* all its clock syscalls */
	/* Its largest kind of call. */
	enum call call;
	int32_t clock;
	enum cause cause;
};

/* Zero it before first use; health_sum_free() gives back what it holds. */
struct health_sum {
	struct health_process *parts; /* one for each kind of call of a process */
	size_t nr, room;
	double seconds; /* of all intervals */
};

/* Takes an interval in.  0 or -ENOMEM. */
int health_add(struct health_sum *sum, const struct interval *iv);

/* The processes that made more than max_rate clock syscalls a second over all
 * the intervals, busiest first, and in *busiest the busiest of all (count 0
 * when there were none).  *over is the caller's to free; NULL for none.
 * 0 or -ENOMEM. */
int health_over(struct health_sum *sum, double max_rate, struct health_process **over, size_t *nr,
		struct health_process *busiest);

void health_sum_free(struct health_sum *sum);

#endif
