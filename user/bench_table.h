/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table that an experiment fills, and its three looks: aligned text, CSV,
 * JSON Lines.  It knows nothing of clocks.
 */
#ifndef CLOCKTOP_BENCH_TABLE_H
#define CLOCKTOP_BENCH_TABLE_H

#include <stddef.h>

#include "buffer.h"

struct bench_column {
	const char *name;  /* key in CSV and JSON, with its unit; NULL: not there */
	const char *title; /* head of the text column; NULL: not there */
	int decimals;	   /* of a number; -1 for text */
};

/* A cell, whose column says which of the two it holds.  NAN is a number that was not measured:
 * empty in CSV, null in JSON,
 * "-" as text. */
struct bench_cell {
	const char *text; /* of a text column; NULL for none */
	double number;
};

struct bench_table {
	const struct bench_column *columns;
	size_t nr_columns;
	struct bench_cell *cells; /* row by row */
	size_t nr_rows, room;
};

/* An empty table; columns must outlive it. */
void bench_table_init(struct bench_table *t, const struct bench_column *columns, size_t nr);
void bench_table_free(struct bench_table *t);

/* Adds a row of nr_columns cells, which are copied, texts and all.  0 or
 * -ENOMEM. */
int bench_table_add(struct bench_table *t, const struct bench_cell *row);

/* The cell of that row (0 …) in the column of that name; NULL for none. */
const struct bench_cell *bench_table_cell(const struct bench_table *t, size_t row,
					  const char *column);

/* Adds the table to a buffer.  Values are numbers and the program's own words,
 * so nothing needs quoting.  CSV and JSON begin each row with the experiment's
 * name and the clocksource it ran under, so that rows of many hosts can lie in
 * one file. */
void bench_table_text(const struct bench_table *t, struct buffer *to);
void bench_table_csv(const struct bench_table *t, const char *experiment, const char *clocksource,
		     struct buffer *to);
void bench_table_json(const struct bench_table *t, const char *experiment, const char *clocksource,
		      struct buffer *to);

#endif
