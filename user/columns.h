/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record table: name, type, meaning and how to print each column of a
 * record.  CSV, JSON Lines, the documentation and the completions all come
 * from it.
 */
#ifndef CLOCKTOP_COLUMNS_H
#define CLOCKTOP_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "record.h"

enum column_type {
	COLUMN_TEXT,
	COLUMN_NUMBER,
};

struct users;

/* One row to be written: a record, or the host's own row (record NULL). */
struct row_source {
	const struct interval *interval;
	const struct record *record;
	bool threads;
	struct users *users; /* names of uids */
};

struct column {
	const char *name;
	enum column_type type;
	const char *meaning; /* one line, for the documentation */
	/* Adds the value to out, raw bytes without quoting or escaping; nothing
	 * when the row has none.  A number is one of JSON's. */
	void (*print)(struct buffer *out, const struct row_source *row);
};

extern const struct column columns[];
extern const size_t nr_columns;

/* The first columns, which say the same in all rows of an interval. */
extern const size_t nr_interval_columns;

#endif
