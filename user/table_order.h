/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of a table's rows, sorted as far as somebody looks: the first
 * screenful of 10,000 rows costs a pass, not a sort.
 */
#ifndef CLOCKTOP_TABLE_ORDER_H
#define CLOCKTOP_TABLE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

struct table_row;

struct table_order {
	const struct table_row **rows; /* the first `sorted` are in place */
	size_t nr, room, sorted;
	enum sort sort;
	bool reverse;
};

/* Starts over with these rows, which must stay where they are. 0 or -ENOMEM. */
int table_order_set(struct table_order *o, const struct table_row *rows, size_t nr, enum sort sort,
		    bool reverse);

/* The row at place i, i < nr. */
const struct table_row *table_order_at(struct table_order *o, size_t i);

/* How many rows come before this one, which is one of them. */
size_t table_order_rank(const struct table_order *o, const struct table_row *row);

void table_order_free(struct table_order *o);

#endif
