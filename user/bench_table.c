// SPDX-License-Identifier: GPL-2.0-only
#include "bench_table.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "csv.h"
#include "json.h"
#include "text.h"

/* The widest cell: a number in the range of double with grouped digits. */
#define CELL 512

void bench_table_init(struct bench_table *t, const struct bench_column *columns, size_t nr)
{
	*t = (struct bench_table){.columns = columns, .nr_columns = nr};
}

void bench_table_free(struct bench_table *t)
{
	for (size_t i = 0; i < t->nr_rows * t->nr_columns; i++)
		free((void *)(uintptr_t)t->cells[i].text);
	free(t->cells);
	*t = (struct bench_table){0};
}

int bench_table_add(struct bench_table *t, const struct bench_cell *row)
{
	struct bench_cell *cells =
	    array_room(t->cells, t->nr_rows, &t->room, t->nr_columns * sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	t->cells = cells;
	struct bench_cell *to = t->cells + t->nr_rows * t->nr_columns;
	for (size_t i = 0; i < t->nr_columns; i++) {
		to[i] = (struct bench_cell){.number = row[i].number};
		if (t->columns[i].decimals >= 0 || !row[i].text)
			continue;
		to[i].text = strdup(row[i].text);
		if (!to[i].text) {
			while (i-- > 0)
				free((void *)(uintptr_t)to[i].text);
			return -ENOMEM;
		}
	}
	t->nr_rows++;
	return 0;
}

const struct bench_cell *bench_table_cell(const struct bench_table *t, size_t row,
					  const char *column)
{
	for (size_t i = 0; row < t->nr_rows && i < t->nr_columns; i++) {
		if (t->columns[i].name && strcmp(t->columns[i].name, column) == 0)
			return &t->cells[row * t->nr_columns + i];
	}
	return NULL;
}

/* A cell for people. */
static const char *show(char buf[CELL], const struct bench_column *c, const struct bench_cell *cell)
{
	if (c->decimals < 0)
		return cell->text ? cell->text : "-";
	if (isnan(cell->number))
		return "-";
	if (c->decimals == 0 && cell->number >= 0)
		return text_count(buf, CELL, (uint64_t)(cell->number + 0.5));
	snprintf(buf, CELL, "%.*f", c->decimals, cell->number);
	return buf;
}

/* Columns that the widest cell of column i takes, its title included. */
static size_t width_of(const struct bench_table *t, size_t i)
{
	size_t width = strlen(t->columns[i].title);
	char buf[CELL];

	for (size_t row = 0; row < t->nr_rows; row++) {
		size_t len = strlen(show(buf, &t->columns[i], &t->cells[row * t->nr_columns + i]));
		width = len > width ? len : width;
	}
	return width;
}

/* Words to the left, numbers to the right. */
static void put(struct buffer *to, const struct bench_column *c, const char *value, size_t width)
{
	if (c->decimals < 0)
		buffer_format(to, "%-*s", (int)width, value);
	else
		buffer_format(to, "%*s", (int)width, value);
}

void bench_table_text(const struct bench_table *t, struct buffer *to)
{
	char buf[CELL];

	for (size_t line = 0; line <= t->nr_rows; line++) {
		const char *gap = "";
		for (size_t i = 0; i < t->nr_columns; i++) {
			const struct bench_column *c = &t->columns[i];
			if (!c->title)
				continue;
			const char *value = c->title;
			if (line > 0)
				value = show(buf, c, &t->cells[(line - 1) * t->nr_columns + i]);
			buffer_text(to, gap);
			put(to, c, value, width_of(t, i));
			gap = "  ";
		}
		while (to->len && to->data[to->len - 1] == ' ')
			to->data[--to->len] = '\0';
		buffer_char(to, '\n');
	}
}

void bench_table_csv(const struct bench_table *t, const char *experiment, const char *clocksource,
		     struct buffer *to)
{
	struct csv csv = {.out = to};

	csv_text(&csv, "experiment");
	csv_text(&csv, "clocksource");
	for (size_t i = 0; i < t->nr_columns; i++) {
		if (t->columns[i].name)
			csv_text(&csv, t->columns[i].name);
	}
	csv_line_end(&csv);
	for (size_t row = 0; row < t->nr_rows; row++) {
		csv_text(&csv, experiment);
		csv_text(&csv, clocksource);
		for (size_t i = 0; i < t->nr_columns; i++) {
			const struct bench_cell *cell = &t->cells[row * t->nr_columns + i];
			if (!t->columns[i].name)
				continue;
			if (t->columns[i].decimals < 0)
				csv_text(&csv, cell->text ? cell->text : "");
			else
				csv_double(&csv, cell->number, t->columns[i].decimals);
		}
		csv_line_end(&csv);
	}
}

void bench_table_json(const struct bench_table *t, const char *experiment, const char *clocksource,
		      struct buffer *to)
{
	struct json json = {.out = to};

	for (size_t row = 0; row < t->nr_rows; row++) {
		json_object(&json, NULL);
		json_text(&json, "experiment", experiment);
		json_text(&json, "clocksource", clocksource);
		for (size_t i = 0; i < t->nr_columns; i++) {
			const struct bench_column *c = &t->columns[i];
			const struct bench_cell *cell = &t->cells[row * t->nr_columns + i];
			if (!c->name)
				continue;
			if (c->decimals >= 0)
				json_double(&json, c->name, cell->number, c->decimals);
			else if (cell->text)
				json_text(&json, c->name, cell->text);
			else
				json_null(&json, c->name);
		}
		json_object_end(&json);
		json_line_end(&json);
	}
}
