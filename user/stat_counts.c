// SPDX-License-Identifier: GPL-2.0-only
#include "stat_counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What names a row, without padding. */
struct row_key {
	uint64_t pid, start_ns, tid;
	char name[TASK_COMM];
};

/* No process has pid 0. */
static const struct row_key others = {.name = "(others)"};

void stat_counts_init(struct stat_counts *c, enum stat_rows kind)
{
	memset(c, 0, sizeof(*c));
	c->kind = kind;
	map_init(&c->rows, sizeof(struct row_key), sizeof(struct stat_row));
}

void stat_counts_free(struct stat_counts *c)
{
	map_free(&c->rows);
}

static struct row_key key_of(enum stat_rows kind, const struct record *r)
{
	struct row_key k = {0};

	switch (kind) {
	case STAT_THREADS:
		k.tid = r->tid;
		/* fall through */
	case STAT_PROCESSES:
		k.pid = r->proc.pid;
		k.start_ns = r->proc.start_ns;
		break;
	case STAT_COMMANDS:
		memcpy(k.name, r->comm, strnlen(r->comm, sizeof(k.name)));
		k.tid = 1; /* so that none is taken for the others */
		break;
	case STAT_CONTAINERS:
		memcpy(k.name, r->container, strnlen(r->container, sizeof(r->container)));
		k.tid = 1;
		break;
	case STAT_NO_ROWS:
		break;
	}
	return k;
}

/* Names the row anew: a process changes its name when it execs. */
static void name_row(struct stat_row *row, enum stat_rows kind, const struct record *r)
{
	const char *name = kind == STAT_CONTAINERS ? r->container : r->comm;
	size_t len = strnlen(name, kind == STAT_CONTAINERS ? sizeof(r->container) : TASK_COMM);

	memset(row->name, 0, sizeof(row->name));
	memcpy(row->name, name, len < TASK_COMM ? len : TASK_COMM - 1);
	if (kind == STAT_PROCESSES || kind == STAT_THREADS)
		row->proc = r->proc;
	if (kind == STAT_THREADS)
		row->tid = r->tid;
}

static void add_sum(struct stat_sum *a, const struct stat_sum *b)
{
	a->count += b->count;
	a->errors += b->errors;
	a->fallbacks += b->fallbacks;
}

static void add_event(struct stat_event *e, const struct stat_sum *sum)
{
	add_sum(&e->now, sum);
	add_sum(&e->total, sum);
}

/* Starts the row's interval anew unless it is of the present one. */
static void touch(struct stat_counts *c, struct stat_row *row)
{
	if (row->interval == c->intervals)
		return;
	row->interval = c->intervals;
	for (int i = 0; i < NR_CALL; i++)
		row->events[i].now = (struct stat_sum){0};
}

static struct stat_row *others_row(struct stat_counts *c, struct map *rows)
{
	struct stat_row *row = map_put(rows, &others, NULL);

	if (!row)
		return NULL;
	row->others = true;
	memcpy(row->name, others.name, sizeof(row->name));
	touch(c, row);
	return row;
}

/* Adds a row to that of the others. */
static void merge(const struct stat_counts *c, struct stat_row *to, const struct stat_row *row)
{
	for (int i = 0; i < NR_CALL; i++) {
		if (row->interval == c->intervals)
			add_sum(&to->events[i].now, &row->events[i].now);
		add_sum(&to->events[i].total, &row->events[i].total);
	}
}

/* Makes room: adds to the others what exited before the present interval. */
static int fold_gone(struct stat_counts *c)
{
	const struct stat_row *row;
	const void *key;
	struct map kept;
	size_t at = 0;

	map_init(&kept, sizeof(struct row_key), sizeof(struct stat_row));
	while ((row = map_each(&c->rows, &at, &key))) {
		bool fold = row->others || (row->gone && row->interval != c->intervals);
		struct stat_row *to = fold ? others_row(c, &kept) : map_put(&kept, key, NULL);

		if (!to) {
			map_free(&kept);
			return -ENOMEM;
		}
		if (fold)
			merge(c, to, row);
		else
			*to = *row;
	}
	map_free(&c->rows);
	c->rows = kept;
	c->folded = c->intervals;
	return 0;
}

static struct stat_row *row_of(struct stat_counts *c, const struct record *r)
{
	struct row_key key = key_of(c->kind, r);
	struct stat_row *row = map_get(&c->rows, &key);

	if (!row && c->rows.used >= STAT_MAX_ROWS) {
		/* once an interval: it walks all rows */
		if (c->folded != c->intervals && fold_gone(c))
			return NULL;
		if (c->rows.used >= STAT_MAX_ROWS)
			return others_row(c, &c->rows);
	}
	if (!row)
		row = map_put(&c->rows, &key, NULL);
	if (!row)
		return NULL;
	touch(c, row);
	name_row(row, c->kind, r);
	return row;
}

static void mark_gone(struct stat_counts *c, const struct gone *gone)
{
	struct row_key key = {.pid = gone->proc.pid, .start_ns = gone->proc.start_ns};
	struct stat_row *row;

	if (c->kind == STAT_THREADS)
		key.tid = gone->tid;
	else if (c->kind != STAT_PROCESSES || gone->tid)
		return;
	row = map_get(&c->rows, &key);
	if (row)
		row->gone = true;
}

static void start_interval(struct stat_counts *c, const struct interval *iv)
{
	c->intervals++;
	c->seconds = iv->seconds;
	c->elapsed += iv->seconds;
	c->missed = iv->missed;
	c->missed_total += iv->missed;
	c->host = iv->host_calls;
	c->host_total += iv->host_calls;
	c->all = interval_all_calls(iv);
	c->all_total += interval_all_calls(iv);
	for (int i = 0; i < NR_CALL; i++)
		c->events[i].now = (struct stat_sum){0};
}

int stat_counts_add(struct stat_counts *c, const struct interval *iv)
{
	start_interval(c, iv);
	for (size_t i = 0; i < iv->nr; i++) {
		const struct record *r = &iv->records[i];
		const struct stat_sum sum = {
		    .count = r->calls.count,
		    .errors = r->calls.errors,
		    .fallbacks = r->via == VIA_VDSO ? r->calls.count : 0,
		};
		struct stat_row *row;

		add_event(&c->events[r->call], &sum);
		if (c->kind == STAT_NO_ROWS)
			continue;
		row = row_of(c, r);
		if (!row)
			return -ENOMEM;
		add_event(&row->events[r->call], &sum);
	}
	for (size_t i = 0; i < iv->nr_gone; i++)
		mark_gone(c, &iv->gone[i]);
	return 0;
}

struct ranked {
	uint64_t count;
	const struct stat_row *row;
};

/* Largest first; equal ones by pid and name, so that the order is the same
 * each time; the others last. */
static int compare(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->row->others != y->row->others)
		return x->row->others ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->row->proc.pid != y->row->proc.pid)
		return x->row->proc.pid < y->row->proc.pid ? -1 : 1;
	if (x->row->tid != y->row->tid)
		return x->row->tid < y->row->tid ? -1 : 1;
	return memcmp(x->row->name, y->row->name, sizeof(x->row->name));
}

int stat_counts_rows(const struct stat_counts *c, enum call call, bool total,
		     const struct stat_row ***rows, size_t *nr)
{
	struct ranked *ranked = malloc((c->rows.used + 1) * sizeof(*ranked));
	const struct stat_row *row;
	size_t at = 0, n = 0;

	*rows = malloc((c->rows.used + 1) * sizeof(**rows));
	if (!ranked || !*rows) {
		free(ranked);
		free(*rows);
		*rows = NULL;
		return -ENOMEM;
	}
	while ((row = map_each(&c->rows, &at, NULL))) {
		uint64_t count = stat_event_sum(&row->events[call], total)->count;

		if (count && (total || row->interval == c->intervals))
			ranked[n++] = (struct ranked){count, row};
	}
	qsort(ranked, n, sizeof(*ranked), compare);
	for (size_t i = 0; i < n; i++)
		(*rows)[i] = ranked[i].row;
	free(ranked);
	*nr = n;
	return 0;
}
