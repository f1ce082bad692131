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
	struct buffer value; /* of one column */
	unsigned long lost;
	int error; /* of the first interval that was lost */
};

static int open_output(struct sink **sink, enum sink_format format, const char *path,
		       enum output_mode mode)
{
	struct sink *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return -ENOMEM;
	s->format = format;
	err = output_open(&s->output, path, mode);
	if (err) {
		free(s);
		return err;
	}
	*sink = s;
	return 0;
}

int sink_open(struct sink **s, enum sink_format format, const char *path)
{
	return open_output(s, format, path, OUTPUT_REPLACE);
}

int sink_create(struct sink **s, enum sink_format format, const char *path)
{
	return open_output(s, format, path, OUTPUT_NEW);
}

static void add_csv_header(struct sink *s)
{
	struct csv line = {.out = &s->lines};

	for (size_t i = 0; i < nr_columns; i++)
		csv_text(&line, columns[i].name);
	csv_line_end(&line);
}

/* Prints one value into s->value, which has room for it afterwards. */
static const char *print(struct sink *s, const struct column *column, const struct row_source *row)
{
	buffer_clear(&s->value);
	column->print(&s->value, row);
	if (s->value.failed)
		s->lines.failed = true;
	return buffer_string(&s->value);
}

static void add_csv(struct sink *s, const struct row_source *row)
{
	struct csv line = {.out = &s->lines};

	for (size_t i = 0; i < nr_columns; i++) {
		const char *value = print(s, &columns[i], row);

		csv_bytes(&line, value, s->value.len);
	}
	csv_line_end(&line);
}

static void add_json(struct sink *s, const struct row_source *row)
{
	struct json line = {.out = &s->lines};

	json_object(&line, NULL);
	for (size_t i = 0; i < nr_columns; i++) {
		const char *value = print(s, &columns[i], row);

		if (columns[i].type == COLUMN_NUMBER)
			json_number(&line, columns[i].name, value);
		else
			json_bytes(&line, columns[i].name, value, s->value.len);
	}
	json_object_end(&line);
	json_line_end(&line);
}

static void add_row(struct sink *s, const struct row_source *row)
{
	if (s->format == SINK_CSV)
		add_csv(s, row);
	else
		add_json(s, row);
}

int sink_write(struct sink *s, const struct interval *iv, bool threads, struct users *users)
{
	struct row_source row = {.interval = iv, .threads = threads, .users = users};
	int err;

	buffer_clear(&s->lines);
	if (s->format == SINK_CSV && output_written(s->output) == 0)
		add_csv_header(s);
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
	buffer_free(&s->value);
	free(s);
	return err;
}
