// SPDX-License-Identifier: GPL-2.0-only
#include "table_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/* Rows that are sorted at once beyond what was asked for: scrolling asks for
 * one more row at a time. */
#define AHEAD 128

static int by_number(double a, double b)
{
	return (a < b) - (a > b); /* downwards */
}

static int by_count(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b); /* downwards */
}

static int by_id(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_clock(const struct table_part *a, const struct table_part *b)
{
	return by_id(a->others, b->others) ?: by_id(a->call, b->call) ?:
	       (a->clock > b->clock) - (a->clock < b->clock);
}

static int by_field(const struct table_row *a, const struct table_row *b, enum sort sort)
{
	switch (sort) {
	case SORT_TOTAL:
		return by_count(a->total, b->total);
	case SORT_CPU:
		return by_number(a->cpu, b->cpu);
	case SORT_PID:
		return 0;
	case SORT_USER:
		return strcmp(a->user, b->user);
	case SORT_COMMAND:
		return strcmp(a->comm, b->comm);
	case SORT_CLOCK:
		return by_clock(a->parts, b->parts);
	case SORT_CAUSE:
		return strcmp(cause_name(a->parts->cause), cause_name(b->parts->cause));
	case SORT_RATE:
	case NR_SORT:
		break;
	}
	return by_number(a->rate, b->rate);
}

/* No two rows are equal, so that the order never depends on the algorithm. */
static int compare(const struct table_order *o, const struct table_row *a,
		   const struct table_row *b)
{
	int c = by_field(a, b, o->sort);
	int tie;

	if (c)
		return o->reverse ? -c : c;
	tie = by_id(a->proc.pid, b->proc.pid) ?: by_id(a->proc.start_ns, b->proc.start_ns) ?:
	      by_id(a->tid, b->tid) ?: memcmp(a->key.name, b->key.name, sizeof(a->key.name));
	return o->reverse && o->sort == SORT_PID ? -tie : tie;
}

static int compare_pointers(const void *a, const void *b, void *order)
{
	const struct table_row *const *p = a, *const *q = b;

	return compare(order, *p, *q);
}

static void swap(const struct table_row **a, const struct table_row **b)
{
	const struct table_row *t = *a;

	*a = *b;
	*b = t;
}

/* Puts the k smallest of rows[from, to) first (k of them, in any order):
 * quickselect, with the middle of three as the pivot. */
static void select_first(const struct table_order *o, size_t from, size_t to, size_t k)
{
	size_t end = from + k;

	while (to - from > 1 && end > from && end < to) {
		size_t middle = from + (to - from) / 2, store = from;

		if (compare(o, o->rows[middle], o->rows[from]) < 0)
			swap(&o->rows[middle], &o->rows[from]);
		if (compare(o, o->rows[to - 1], o->rows[from]) < 0)
			swap(&o->rows[to - 1], &o->rows[from]);
		if (compare(o, o->rows[middle], o->rows[to - 1]) < 0)
			swap(&o->rows[middle], &o->rows[to - 1]);
		for (size_t i = from; i < to - 1; i++)
			if (compare(o, o->rows[i], o->rows[to - 1]) < 0)
				swap(&o->rows[i], &o->rows[store++]);
		swap(&o->rows[store], &o->rows[to - 1]);
		if (store < end)
			from = store + 1;
		else
			to = store;
	}
}

int table_order_set(struct table_order *o, const struct table_row *rows, size_t nr, enum sort sort,
		    bool reverse)
{
	if (nr > o->room) {
		const struct table_row **order = reallocarray(o->rows, nr, sizeof(*order));

		if (!order)
			return -ENOMEM;
		o->rows = order;
		o->room = nr;
	}
	for (size_t i = 0; i < nr; i++)
		o->rows[i] = &rows[i];
	o->nr = nr;
	o->sorted = 0;
	o->sort = sort;
	o->reverse = reverse;
	return 0;
}

const struct table_row *table_order_at(struct table_order *o, size_t i)
{
	if (i >= o->sorted) {
		/* At least as many again: walking through all rows is then no
		 * dearer than one sort. */
		size_t need = i + 1 > 2 * o->sorted ? i + 1 : 2 * o->sorted;
		size_t left = o->nr - o->sorted;
		size_t k = need - o->sorted + AHEAD < left ? need - o->sorted + AHEAD : left;

		select_first(o, o->sorted, o->nr, k);
		qsort_r(o->rows + o->sorted, k, sizeof(*o->rows), compare_pointers, o);
		o->sorted += k;
	}
	return o->rows[i];
}

size_t table_order_rank(const struct table_order *o, const struct table_row *row)
{
	size_t before = 0;

	for (size_t i = 0; i < o->nr; i++)
		before += compare(o, o->rows[i], row) < 0;
	return before;
}

void table_order_free(struct table_order *o)
{
	free(o->rows);
	memset(o, 0, sizeof(*o));
}
