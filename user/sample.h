/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One sample: what the kernel said at one moment, as is.  Counts in it are
 * cumulative.  It knows nothing of processes' fates, rates or names beyond
 * the bytes the kernel gave.
 */
#ifndef CLOCKTOP_SAMPLE_H
#define CLOCKTOP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "records.h"

/* One further key of a task that ran out of inline slots. */
struct sample_overflow {
	struct overflow_key key;
	struct overflow_value value;
	bool orphan; /* the task's end was lost, and this is final */
};

struct sample {
	struct timespec wall; /* CLOCK_REALTIME when it was taken */
	uint64_t mono_ns;     /* CLOCK_MONOTONIC when it was taken */
	uint64_t host_calls;  /* syscalls of the host since the programs run */
	uint64_t missed;      /* clock syscalls not counted since then */
	uint64_t follow_lost; /* processes that could not be followed */
	bool complete;	      /* every live task is in it, changed or not */

	size_t live_bytes; /* how much of entries the live tasks take */
	/* Packed entries of varying length, each struct task_entry cut after
	 * its `nr` slots; walk with sample_first()/sample_next().  Live tasks
	 * whose counts changed come first, then those that exited, whose
	 * TASK_DEAD entry is final.  A serial can be in both. */
	unsigned char *entries;
	size_t bytes;
	size_t room;

	struct sample_overflow *overflow;
	size_t nr_overflow;
	size_t overflow_room;
};

/* Bytes of an entry before its slots, and of one with the slots it uses. */
#define SAMPLE_ENTRY_HEAD offsetof(struct task_entry, slots)

static inline size_t sample_entry_size(const struct task_entry *e)
{
	return SAMPLE_ENTRY_HEAD + e->nr * sizeof(struct slot);
}

/* An empty sample; sample_free() gives back what taking samples allocated. */
void sample_init(struct sample *s);
void sample_free(struct sample *s);

/* The first entry and the one after e; NULL at the end. */
const struct task_entry *sample_first(const struct sample *s);
const struct task_entry *sample_next(const struct sample *s, const struct task_entry *e);

#endif
