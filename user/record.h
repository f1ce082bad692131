/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One record: the calls of one process (or thread) in one interval that have
 * the same syscall, ABI, clock and via.  Every view shows these and nothing
 * else.  See docs/records.md, which comes from the table in columns.c.
 */
#ifndef CLOCKTOP_RECORD_H
#define CLOCKTOP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "records.h"

/* Why a call was not served in user space.  Decided in cause.c alone. */
enum cause {
	CAUSE_UNKNOWN,
	CAUSE_CLOCKSOURCE,
	CAUSE_CLOCK_ID,
	CAUSE_INVALID_CLOCK,
	CAUSE_DENIED,
	CAUSE_NO_VDSO,
	CAUSE_VDSO_MODIFIED,
	CAUSE_LIBC,
	CAUSE_DIRECT,
	CAUSE_VSYSCALL,
	NR_CAUSE,
};

/* "clocksource", "clock-id", …, "unknown". */
const char *cause_name(enum cause cause);

/* Counts of calls by how they ended.  errors includes all the others. */
struct tally {
	uint64_t count;
	uint64_t errors;	   /* the kernel's answer was not 0, or seccomp refused */
	uint64_t einval;	   /* -EINVAL */
	uint64_t efault;	   /* -EFAULT */
	uint64_t rolled_back;	   /* refused by seccomp for certain (OUTCOME_ROLLED_BACK) */
	uint64_t other;		   /* any other errno or a positive answer */
	unsigned int last_outcome; /* the last outcome that is not 0, as in the key */
};

/* Adds n calls that ended so: an outcome of records.h. */
void tally_outcome(struct tally *t, unsigned int outcome, uint64_t n);

/* Adds b to a. */
void tally_add(struct tally *a, const struct tally *b);

/* Names a process for ever: pids are reused. */
struct proc_id {
	uint32_t pid; /* tgid, initial pid namespace */
	uint64_t start_ns;
};

static inline bool proc_id_equal(struct proc_id a, struct proc_id b)
{
	return a.pid == b.pid && a.start_ns == b.start_ns;
}

/* A proc_id without padding, fit to be a map's key. */
struct proc_key {
	uint64_t pid, start_ns;
};

static inline struct proc_key proc_key(struct proc_id id)
{
	return (struct proc_key){id.pid, id.start_ns};
}

#define CONTAINER_ID 13 /* 12 hex digits and NUL */

struct record {
	struct proc_id proc;
	uint32_t tid; /* 0 unless threads were asked for */
	uint32_t uid; /* effective */
	uint64_t cgroup_id;
	bool followed;		      /* -p or COMMAND: one of the followed */
	bool exited;		      /* the process (thread with -H) was seen exiting */
	char comm[TASK_COMM];	      /* raw bytes: escape before showing */
	char process[TASK_COMM];      /* comm, or with threads the name of their process */
	char container[CONTAINER_ID]; /* or "" */

	enum call call;
	enum abi abi;
	enum via via;
	int32_t clock; /* 0 for calls without one */

	struct tally calls; /* in this interval */
	uint64_t where;	    /* where they came from: of the largest part, records.h */
	uint64_t largest;   /* calls of that part */
	const char *object; /* file name, "[anon]" or ""; raw bytes; owned by the
			     * objects table, valid as long as the collector */
	enum cause cause;
};

/* A process, or with threads one thread of it, that was seen exiting. */
struct gone {
	struct proc_id proc;
	uint32_t tid; /* 0: the whole process */
};

/* One interval, owned by whoever called interval_init(). */
struct interval {
	struct timespec end; /* CLOCK_REALTIME */
	double seconds;	     /* measured length, CLOCK_MONOTONIC */
	uint64_t host_calls; /* all syscalls of the host, as the tracepoint counts them */
	uint64_t page_calls; /* through the legacy vsyscall page, which it does not see */
	uint64_t missed;     /* clock syscalls that could not be counted */
	struct record *records;
	size_t nr;
	size_t room;
	struct gone *gone; /* exited in this interval, with calls or without; */
	size_t nr_gone;	   /* only such as had clock syscalls at some time */
	size_t gone_room;
};

/* What clock syscalls are a share of, in calls: all of the host's, seen by the
 * tracepoint or not. */
static inline uint64_t interval_all_calls(const struct interval *iv)
{
	return iv->host_calls + iv->page_calls;
}

#endif
