/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of the live screen and of batch mode: records of the intervals
 * added up by process, thread, command or container, with totals since
 * the start, filtered and sorted.  It draws nothing and decides no cause.
 *
 * Totals are kept by process and thread, and those of exited processes by
 * command and container, so that the view can change at any time and every
 * sum still is the sum since the start.
 */
#ifndef CLOCKTOP_TABLE_H
#define CLOCKTOP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter.h"
#include "ledger.h"
#include "options.h"
#include "record.h"

struct users;

/* One (call, abi, clock, via) of a row. */
struct table_part {
	bool others; /* it stands for all kinds of call beyond LEDGER_MAX_PARTS */
	enum call call;
	enum abi abi;
	enum via via;
	int32_t clock;
	enum cause cause;
	uint64_t count, errors; /* in the last interval */
	uint64_t total, total_errors;
	double rate;
	double cpu;    /* CPUs burnt (1.0 is one CPU), as far as known */
	bool cpu_open; /* the cost of some of it is not known */
	uint64_t where;
	const char *object;
};

struct table_row {
	struct ledger_key key; /* names the row from refresh to refresh */
	struct proc_id proc;   /* the process; of many the one that calls most; pid 0
				* when none of them is left */
	uint32_t tid;	       /* of a thread's row */
	uint32_t uid;
	const char *user;      /* its name; raw bytes; owned by users */
	uint32_t processes;    /* how many the row adds up that live, or did in the interval */
	const char *comm;      /* raw bytes; "" for a container */
	const char *container; /* "" for none */
	bool exited;
	bool is_new; /* rates and CPU are not known: its first interval has not ended */
	double rate;
	uint64_t count, total, errors; /* errors since the start, as total */
	double cpu;
	bool cpu_open;
	const struct table_part *parts; /* largest first, never none */
	size_t nr_parts;
};

/* What is shown, and in which order.  Numbers sort downwards, names and pids
 * upwards; reverse turns that round.  Equals are in order of pid. */
struct table_view {
	enum group group;
	bool threads; /* with GROUP_PROCESS: a row for each thread */
	enum sort sort;
	bool reverse;
	const char *text; /* substring of name, user, clock, cause or container; or NULL */
	double min_rate;
};

/* Cost of one call in ns, or NAN.  arg is the caller's. */
typedef double (*table_cost_fn)(void *arg, const struct record *r);

struct table;

/* NULL without memory. */
struct table *table_new(void);
void table_free(struct table *t);

/* A copy that later calls of table_add() on t do not change, for looking at.
 * NULL without memory. */
struct table *table_copy(const struct table *t);

/* Takes what f leaves of one interval in: totals grow, rates are replaced, what had exited
 * before is dropped.  Records with a tid count for the thread and for its
 * process.  0 or -ENOMEM: then some calls are not in the sums. */
int table_add(struct table *t, const struct interval *iv, const struct table_filter *f,
	      table_cost_fn cost, void *arg);

/* Fills in what was found out of nr records that were added earlier: a container, and
 * the cause where it still is unknown.  Counts and rates stay. */
void table_settle(struct table *t, const struct record *records, size_t nr);

/* Takes in what threads did before their records began (totals alone, as
 * session_thread_totals() says), which their processes have counted already.
 * What they did in the last interval is not known: their rows say is_new.
 * 0 or -ENOMEM. */
int table_add_threads(struct table *t, const struct interval *totals, const struct table_filter *f);

/* Forgets the threads.  Their processes stay. */
void table_drop_threads(struct table *t);

/* Makes the rows of a view, which stay until the next call of this function,
 * table_add(), table_settle() or table_free().  Returns their number, or -ENOMEM. */
ssize_t table_rows(struct table *t, const struct table_view *view, struct users *users);

/* The row at place i of the order, i below what table_rows() returned.
 * Sorts no more than it takes to know. */
const struct table_row *table_row(struct table *t, size_t i);

/* The place of the row with that key, or -1.  Takes one pass, no sorting. */
ssize_t table_find(const struct table *t, const struct ledger_key *key);

#endif
