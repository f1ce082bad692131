/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stat adds up: calls of each clock syscall, of the last interval and
 * since the start, and the same for each row (a process, a thread, a command
 * or a container) when rows are asked for.  It prints nothing.
 */
#ifndef CLOCKTOP_STAT_COUNTS_H
#define CLOCKTOP_STAT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "map.h"
#include "record.h"

/* What a row stands for. */
enum stat_rows {
	STAT_NO_ROWS,
	STAT_PROCESSES,
	STAT_THREADS,
	STAT_COMMANDS,
	STAT_CONTAINERS,
};

struct stat_sum {
	uint64_t count;
	uint64_t errors;
	uint64_t fallbacks; /* calls whose via is the vDSO */
};

/* One clock syscall. */
struct stat_event {
	struct stat_sum now;   /* in the last interval */
	struct stat_sum total; /* since the start */
};

struct stat_row {
	struct proc_id proc;  /* pid 0 when it stands for no process */
	uint32_t tid;	      /* of a thread, else 0 */
	bool others;	      /* what had no room for a row of its own */
	bool gone;	      /* the process or thread exited */
	char name[TASK_COMM]; /* raw bytes, as last seen; a container's id */
	uint64_t interval;    /* the last one with calls */
	struct stat_event events[NR_CALL];
};

struct stat_counts {
	enum stat_rows kind;
	double seconds; /* of the last interval */
	double elapsed; /* since the start */
	uint64_t intervals;
	uint64_t host, host_total;     /* all syscalls of the host, by the tracepoint */
	uint64_t all, all_total;       /* and those that it does not see */
	uint64_t missed, missed_total; /* clock syscalls that could not be counted */
	struct stat_event events[NR_CALL];
	struct map rows; /* struct stat_row */
	uint64_t folded; /* the interval in which room was last made */
};

/* Rows that are kept apart.  When there are more, those that exited are added
 * to one row for all others, so that memory stays bounded and sums right. */
#define STAT_MAX_ROWS 16384

void stat_counts_init(struct stat_counts *c, enum stat_rows kind);
void stat_counts_free(struct stat_counts *c);

/* Takes one interval's records in.  0 or -ENOMEM. */
int stat_counts_add(struct stat_counts *c, const struct interval *iv);

/* The rows with calls of that kind, in the last interval or (total) since the
 * start, largest first.  *rows is to be freed; its pointers last until the next
 * stat_counts_add().  0 or -ENOMEM. */
int stat_counts_rows(const struct stat_counts *c, enum call call, bool total,
		     const struct stat_row ***rows, size_t *nr);

/* The sum of a row's or the host's event that a view shows. */
static inline const struct stat_sum *stat_event_sum(const struct stat_event *e, bool total)
{
	return total ? &e->total : &e->now;
}

#endif
