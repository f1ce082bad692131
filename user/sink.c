// SPDX-License-Identifier: GPL-2.0-only
#include "sink.h"

#include <errno.h>
#include <stdlib.h>

#include "buffer.h"
#include "columns.h"
#include "csv.h"
#include "json.h"
#include "output.h"

struct sink {
	enum sink_format format;
	struct output *output;
	struct buffer lines; /* of one interval */
	struct buffer head;  /* what each of them begins with */
	struct buffer value; /* of one column */
	unsigned long lost;
	int error; /* of the first interval that was lost */
};

/* A sink of an output that was opened, or the error of opening it. */
static int new_sink(struct sink **sink, enum sink_format format, struct output *output, int err)
{
	struct sink *s;

	if (err)
		return err;
	s = calloc(1, sizeof(*s));
	if (!s) {
		output_close(output);
		return -ENOMEM;
	}
	s->format = format;
	s->output = output;
	*sink = s;
	return 0;
}

static int open_output(struct sink **s, enum sink_format format, const char *path,
		       enum output_mode mode)
{
	struct output *output = NULL;
	int err = output_open(&output, path, mode);

	return new_sink(s, format, output, err);
}

int sink_open(struct sink **s, enum sink_format format, const char *path)
{
	return open_output(s, format, path, OUTPUT_REPLACE);
}

int sink_create(struct sink **s, enum sink_format format, const char *path)
{
	return open_output(s, format, path, OUTPUT_NEW);
}

int sink_adopt(struct sink **s, enum sink_format format, int fd)
{
	struct output *output = NULL;
	int err = output_adopt(&output, fd);

	return new_sink(s, format, output, err);
}

static void add_csv_header(struct sink *s)
{
	struct csv line = {.out = &s->lines};

	for (size_t i = 0; i < nr_columns; i++)
		csv_text(&line, columns[i].name);
	csv_line_end(&line);
}

/* Adds a row's columns from `first` to before `end` to lines.  first is 0 or
 * the row's beginning is there already. */
static void add_columns(struct sink *s, struct buffer *lines, const struct row_source *row,
			size_t first, size_t end)
{
	struct csv csv = {.out = lines, .comma = first > 0};
	struct json json = {.out = lines, .comma = first > 0};

	if (s->format == SINK_JSON && first == 0)
		json_object(&json, NULL);
	for (size_t i = first; i < end; i++) {
		const struct column *column = &columns[i];

		buffer_clear(&s->value);
		column->print(&s->value, row);
		if (s->value.failed)
			lines->failed = true;
		if (s->format == SINK_CSV)
			csv_bytes(&csv, buffer_string(&s->value), s->value.len);
		else if (column->type == COLUMN_NUMBER)
			json_number(&json, column->name, buffer_string(&s->value));
		else
			json_bytes(&json, column->name, buffer_string(&s->value), s->value.len);
	}
	if (s->format == SINK_JSON && end == nr_columns)
		json_object_end(&json);
}

/* The columns of the interval are printed once, and copied. */
static void add_row(struct sink *s, const struct row_source *row)
{
	buffer_add(&s->lines, buffer_string(&s->head), s->head.len);
	add_columns(s, &s->lines, row, nr_interval_columns, nr_columns);
	buffer_char(&s->lines, '\n');
}

int sink_write(struct sink *s, const struct interval *iv, bool threads, struct users *users)
{
	struct row_source row = {.interval = iv, .threads = threads, .users = users};
	int err;

	buffer_clear(&s->lines);
	if (s->format == SINK_CSV && output_written(s->output) == 0)
		add_csv_header(s);
	buffer_clear(&s->head);
	add_columns(s, &s->head, &row, 0, nr_interval_columns);
	if (s->head.failed)
		s->lines.failed = true;
	for (size_t i = 0; i < iv->nr; i++) {
		row.record = &iv->records[i];
		add_row(s, &row);
	}
	row.record = NULL;
	add_row(s, &row);

	if (s->lines.failed)
		err = -ENOMEM;
	else
		err = output_write(s->output, s->lines.data, s->lines.len);
	if (err && err != -EPIPE && s->lost++ == 0)
		s->error = err;
	return err;
}

void sink_hurry(struct sink *s)
{
	if (s)
		output_hurry(s->output);
}

int sink_error(const struct sink *s)
{
	return s->error;
}

unsigned long sink_lost(const struct sink *s)
{
	return s->lost;
}

int sink_close(struct sink *s)
{
	int err;

	if (!s)
		return 0;
	err = output_close(s->output);
	buffer_free(&s->lines);
	buffer_free(&s->head);
	buffer_free(&s->value);
	free(s);
	return err;
}
