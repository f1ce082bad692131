// SPDX-License-Identifier: GPL-2.0-only
#include "batch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "commands.h"
#include "layout.h"
#include "message.h"
#include "output.h"
#include "signals.h"
#include "table_columns.h"
#include "view.h"

#define WIDTH 80      /* of what is no terminal */
#define MAX_WIDTH 512 /* COLUMNS is only believed so far */

struct batch {
	struct view view;
	struct header header;
	struct buffer text;
	struct output *out; /* NULL: nothing is printed */
	long printed;
	int error; /* the first one of out; -EPIPE: the reader went away */
	bool lost; /* an interval was */
};

static size_t width_of_output(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	long n;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	n = columns ? strtol(columns, NULL, 10) : 0;
	return n > 0 && n <= MAX_WIDTH ? (size_t)n : WIDTH;
}

/* Adds all lines of the layout to the text. */
static void add_lines(struct batch *b, struct layout *l, size_t width)
{
	layout_fit(l, width);
	for (size_t i = 0; i <= l->nr_lines; i++) {
		size_t size = layout_line_size(l);
		char *line = buffer_reserve(&b->text, size + 1);

		if (!line)
			return;
		b->text.len += layout_line(l, i ? i - 1 : LAYOUT_HEADING, b->view.utf8, line, size);
		buffer_char(&b->text, '\n');
	}
}

static void add_table(struct batch *b, size_t width)
{
	struct view *v = &b->view;
	const struct layout_column *columns[TABLE_COLUMNS];
	struct table_traits traits = {0};
	ssize_t nr = table_rows(v->table, &v->what, v->session.users);
	struct layout l;
	int err = 0;

	if (nr < 0) {
		b->text.failed = true;
		return;
	}
	for (ssize_t i = 0; i < nr; i++)
		table_traits_add(&traits, table_row(v->table, (size_t)i));
	err = layout_init(&l, columns, table_columns(columns, &v->what, &traits));
	for (ssize_t i = 0; !err && i < nr; i++) {
		const struct table_line line = {
		    .row = table_row(v->table, (size_t)i),
		    .utf8 = v->utf8,
		};

		err = layout_add(&l, &line);
	}
	if (err)
		b->text.failed = true;
	else
		add_lines(b, &l, width);
	layout_free(&l);
}

/* Prints one block. */
static void print(struct batch *b)
{
	size_t width = width_of_output();
	int err = 0;

	buffer_clear(&b->text);
	if (b->printed++)
		buffer_char(&b->text, '\n');
	view_header(&b->view, &b->header, width, false, false);
	header_print(&b->header, width, &b->text);
	buffer_char(&b->text, '\n');
	add_table(b, width);
	err = b->text.failed ? -ENOMEM : output_write(b->out, b->text.data, b->text.len);
	if (err && !b->error)
		b->error = err;
}

/* Waits for the refresh.  Returns whether an end was asked for. */
static bool wait_for_refresh(struct batch *b)
{
	int got;

	view_next_deadline(&b->view);
	do
		got = session_wait(&b->view.session, b->view.deadline, -1);
	while (got == SIGWINCH || got == SIGCHLD);
	return got > 0;
}

static void refresh(struct batch *b)
{
	int err = view_step(&b->view);

	if (err == -EPIPE) {
		b->error = err;
	} else if (err) {
		if (!b->lost)
			message("an interval was lost: %s", strerror(-err));
		b->lost = true;
	} else if (b->out) {
		print(b);
	}
}

static void run(struct batch *b)
{
	long left = b->view.options->iterations;
	bool end;

	do {
		end = wait_for_refresh(b);
		if (end)
			session_hurry(&b->view.session);
		if (end && b->out)
			output_hurry(b->out);
		refresh(b);
		if (left && --left == 0)
			end = true;
	} while (!end && b->error != -EPIPE);
}

int batch_run(const struct options *o, bool text)
{
	struct batch b = {0};
	int status, closed, err = 0;

	if (text)
		err = output_open(&b.out, "-", OUTPUT_APPEND);
	if (err) {
		message("standard output: %s", strerror(-err));
		return STATUS_USAGE;
	}
	status = view_open(&b.view, o);
	if (!status)
		run(&b);
	closed = view_close(&b.view);
	err = output_close(b.out);
	if (!b.error)
		b.error = err;
	if (b.error && b.error != -EPIPE) {
		message("standard output: %s; not all of it was printed", signals_error(-b.error));
		b.lost = true;
	}
	header_free(&b.header);
	buffer_free(&b.text);
	return status ? status : b.lost ? STATUS_INCOMPLETE : closed;
}
