/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record table: name, type, meaning and how to print each column of a
 * record.  CSV, JSON Lines, the documentation and the completions all come
 * from it.
 */
#ifndef CLOCKTOP_COLUMNS_H
#define CLOCKTOP_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

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
	/* Writes the value into buf (NUL-terminated, unquoted raw bytes), at most
	 * size; returns its length.  An empty value is an empty string. */
	size_t (*print)(char *buf, size_t size, const struct row_source *row);
};

extern const struct column columns[];
extern const size_t nr_columns;

/* The longest value any column prints, with its NUL. */
#define COLUMN_VALUE 512

#endif
