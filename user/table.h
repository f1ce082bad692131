/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of the live screen and of batch mode: records of the intervals
 * added up by process, thread, command or container, with totals since
 * the start, filtered and sorted.  It draws nothing and decides no cause.
 */
#ifndef CLOCKTOP_TABLE_H
#define CLOCKTOP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "record.h"

struct users;

/* One (call, abi, clock, via) of a row. */
struct table_part {
	enum call call;
	enum abi abi;
	enum via via;
	int32_t clock;
	enum cause cause;
	uint64_t count, errors; /* in the last interval */
	uint64_t total, total_errors;
	double rate;
	double cpu;    /* CPUs burnt (1.0 is one CPU); NAN when not known */
	uint64_t where;
	const char *object;
};

struct table_row {
	struct proc_id proc; /* pid 0 when the group is no process */
	uint32_t tid;        /* with threads */
	uint32_t uid;
	uint32_t processes;  /* how many the row adds up */
	char comm[TASK_COMM];
	char container[CONTAINER_ID];
	bool exited;
	double rate;
	uint64_t total, errors;
	double cpu;
	struct table_part *parts; /* largest first */
	size_t nr_parts;
};

/* What the filters leave; all fields as in struct options. */
struct table_filter {
	bool followed_only;
	const uid_t *uids;
	size_t nr_uids;
	const regex_t *comm;
	const char *text; /* the screen's "/" filter: substring of name, user, cause; or NULL */
	unsigned int events;
	double min_rate;
};

/* Whether a record passes (all but min_rate, which is of rows). */
bool table_filter_record(const struct table_filter *f, const struct record *r, struct users *users);

/* Cost of one call, in ns, or NAN.  arg is the caller's. */
typedef double (*table_cost_fn)(void *arg, const struct record *r);

struct table;
struct table *table_new(enum group group, bool threads);
void table_free(struct table *t);

/* Takes one interval in: totals grow, rates are replaced, rows of what had
 * exited before are dropped.  0 or -ENOMEM. */
int table_add(struct table *t, const struct interval *iv, const struct table_filter *f,
	      table_cost_fn cost, void *arg, struct users *users);

/* The rows, sorted; owned by t, valid until the next call on it. */
const struct table_row *table_rows(struct table *t, enum sort sort, bool reverse,
				   struct users *users, size_t *nr);

#endif
