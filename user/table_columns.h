/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns of the live screen's and of batch mode's table: which there are
 * for a view, and what their cells say.  (The columns of records, as files
 * have them, are in columns.h.)
 */
#ifndef CLOCKTOP_TABLE_COLUMNS_H
#define CLOCKTOP_TABLE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "layout.h"
#include "table.h"

/* One line of the table: a row, or one part of a row that is open. */
struct table_line {
	const struct table_row *row;
	const struct table_part *part; /* NULL: the row itself */
	const char *command;	       /* what to show instead of the name, raw bytes; or NULL */
	bool utf8;
};

/* What the view's rows are like. */
struct table_traits {
	bool foreign_abi; /* some call is not of the host's own ABI */
	bool containers;  /* some row is in a container */
};

/* Adds what a row says about them. */
void table_traits_add(struct table_traits *traits, const struct table_row *row);

#define TABLE_COLUMNS 16 /* a view never has more */

/* The columns of a view, in order: their print functions take a struct
 * table_line.  Fills columns; returns how many. */
size_t table_columns(const struct layout_column *columns[TABLE_COLUMNS],
		     const struct table_view *view, const struct table_traits *traits);

/* The column that a sort field sorts by, among those; or nr. */
size_t table_sort_column(const struct layout_column *const *columns, size_t nr, enum sort sort);

/* What a part is called where there is one column for it: its clock, for
 * gettimeofday and time the call, and "getres CLOCK" for clock_getres. */
#define TABLE_PART_NAME 64
char *table_part_name(char *buf, size_t size, const struct table_part *part);

#endif
