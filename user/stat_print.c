// SPDX-License-Identifier: GPL-2.0-only
#include "stat_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "text.h"

/* The widest name of an event or row in the column; longer ones shift what
 * follows. */
#define EVENT_WIDTH 22
#define ROW_WIDTH 30

/* One line of either kind. */
struct line {
	const char *event;
	const struct stat_sum *sum;
	const struct stat_row *row; /* or NULL: the event's own */
	bool of_host;		    /* a share of the host's syscalls makes sense */
};

/* What all lines of one block have in common. */
struct block {
	struct buffer *out;
	const struct stat_style *style;
	const struct stat_counts *counts;
	bool total;
	double seconds;
	uint64_t host, all; /* see struct stat_counts */
	int width;
};

static void add_safe(struct buffer *out, const char *text, size_t len, bool utf8)
{
	char *to = buffer_reserve(out, TEXT_SAFE_SIZE(len));

	if (to)
		out->len += text_safe(to, TEXT_SAFE_SIZE(len), text, len, utf8);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : NAN;
}

static double rate_of(const struct block *b, const struct stat_sum *sum)
{
	return b->seconds > 0 ? (double)sum->count / b->seconds : NAN;
}

/* "4711 java", "4711/4712 worker", "java", "0123456789ab". */
static void add_label(struct buffer *out, const struct stat_row *row, bool utf8)
{
	size_t len = strnlen(row->name, sizeof(row->name));

	if (row->tid)
		buffer_format(out, "%u/%u ", row->proc.pid, row->tid);
	else if (row->proc.pid)
		buffer_format(out, "%u ", row->proc.pid);
	if (len)
		add_safe(out, row->name, len, utf8);
	else if (!row->proc.pid)
		buffer_text(out, "(none)");
}

/* A line's third column for people, padded to the block's width. */
static void add_event(const struct block *b, const struct line *l)
{
	struct buffer label = {0};
	const char *text = l->event;
	size_t width;

	if (l->row) {
		buffer_text(&label, "  ");
		add_label(&label, l->row, b->style->utf8);
		text = buffer_string(&label);
	}
	buffer_text(b->out, text);
	width = text_width(text);
	if (width < (size_t)b->width)
		buffer_format(b->out, "%*s", (int)((size_t)b->width - width), "");
	if (label.failed)
		b->out->failed = true;
	buffer_free(&label);
}

static void add_number(struct buffer *out, const char *separator, const char *format, double value)
{
	buffer_text(out, separator);
	if (!isnan(value))
		buffer_format(out, format, value);
}

static void add_machine_line(const struct block *b, const struct line *l)
{
	const char *separator = b->style->separator;
	struct buffer *out = b->out;
	uint64_t count = l->sum->count;

	buffer_format(out, "%.6f%s%llu%s%s", b->counts->elapsed, separator,
		      (unsigned long long)count, separator, l->event);
	add_number(out, separator, "%.3f", rate_of(b, l->sum));
	add_number(out, separator, "%.4f", l->of_host ? percent(count, b->all) : NAN);
	add_number(out, separator, "%.2f", l->of_host ? percent(l->sum->fallbacks, count) : NAN);
	buffer_text(out, separator);
	if (l->of_host)
		buffer_uint(out, l->sum->errors);
	buffer_text(out, separator);
	if (l->row && l->row->proc.pid)
		buffer_uint(out, l->row->proc.pid);
	buffer_text(out, separator);
	if (l->row && l->row->tid)
		buffer_uint(out, l->row->tid);
	buffer_text(out, separator);
	if (l->row)
		add_safe(out, l->row->name, strnlen(l->row->name, sizeof(l->row->name)),
			 b->style->utf8);
	buffer_char(out, '\n');
}

/* "  99.98 %", or nothing where it means nothing. */
static void add_share(const struct block *b, const struct line *l, const char *unit)
{
	double share = percent(l->sum->count, b->all);

	if (l->of_host && !isnan(share))
		buffer_format(b->out, " %7.2f %%%s", share, unit);
}

static void add_interval_line(const struct block *b, const struct line *l)
{
	char count[TEXT_NUMBER], rate[TEXT_NUMBER];

	buffer_format(b->out, "%13.6f %12s  ", b->counts->elapsed,
		      text_count(count, sizeof(count), l->sum->count));
	add_event(b, l);
	buffer_format(b->out, " %11s", text_rate(rate, sizeof(rate), rate_of(b, l->sum)));
	add_share(b, l, "");
	buffer_char(b->out, '\n');
}

static void add_summary_line(const struct block *b, const struct line *l)
{
	char number[TEXT_NUMBER];

	buffer_format(b->out, "%13s  ", text_count(number, sizeof(number), l->sum->count));
	add_event(b, l);
	buffer_format(b->out, " %11s", text_rate(number, sizeof(number), rate_of(b, l->sum)));
	add_share(b, l, " of host");
	if (l->of_host && l->sum->count)
		buffer_format(b->out, "   fallbacks %5.1f %%",
			      percent(l->sum->fallbacks, l->sum->count));
	if (l->sum->errors)
		buffer_format(b->out, "   errors %s",
			      text_count(number, sizeof(number), l->sum->errors));
	buffer_char(b->out, '\n');
}

static void add_line(const struct block *b, const struct line *l)
{
	if (l->of_host && rate_of(b, l->sum) < b->style->min_rate)
		return;
	if (b->style->separator)
		add_machine_line(b, l);
	else if (b->total)
		add_summary_line(b, l);
	else
		add_interval_line(b, l);
}

static void add_rows(const struct block *b, enum call call)
{
	const struct stat_row **rows;
	size_t nr;

	if (stat_counts_rows(b->counts, call, b->total, &rows, &nr)) {
		b->out->failed = true;
		return;
	}
	for (size_t i = 0; i < nr; i++)
		add_line(b, &(struct line){
				.event = call_name(call),
				.sum = stat_event_sum(&rows[i]->events[call], b->total),
				.row = rows[i],
				.of_host = true,
			    });
	free(rows);
}

/* The calls that occurred, largest first; equal ones in the table's order. */
static int order(const struct block *b, enum call calls[NR_CALL])
{
	int nr = 0;

	for (int i = 0; i < NR_CALL; i++) {
		uint64_t count = stat_event_sum(&b->counts->events[i], b->total)->count;
		int at = nr;

		if (!count)
			continue;
		while (at > 0 &&
		       stat_event_sum(&b->counts->events[calls[at - 1]], b->total)->count < count) {
			calls[at] = calls[at - 1];
			at--;
		}
		calls[at] = (enum call)i;
		nr++;
	}
	return nr;
}

static void add_block(const struct block *b)
{
	const struct stat_counts *c = b->counts;
	const struct stat_sum host = {.count = b->host};
	const struct stat_sum missed = {.count = b->total ? c->missed_total : c->missed};
	enum call calls[NR_CALL];
	int nr = order(b, calls);

	for (int i = 0; i < nr; i++) {
		add_line(b, &(struct line){
				.event = call_name(calls[i]),
				.sum = stat_event_sum(&c->events[calls[i]], b->total),
				.of_host = true,
			    });
		if (c->kind != STAT_NO_ROWS)
			add_rows(b, calls[i]);
	}
	if (nr == 0 && b->total && !b->style->separator)
		buffer_format(b->out, "%13s  no clock syscalls\n", "0");
	if (missed.count)
		add_line(b, &(struct line){.event = "missed", .sum = &missed});
	add_line(b, &(struct line){.event = b->style->host_event, .sum = &host});
}

static int width_of(const struct stat_counts *c)
{
	return c->kind == STAT_NO_ROWS ? EVENT_WIDTH : ROW_WIDTH;
}

void stat_print_interval(struct buffer *out, const struct stat_style *style,
			 const struct stat_counts *c, bool heading)
{
	const struct block b = {
	    .out = out,
	    .style = style,
	    .counts = c,
	    .seconds = c->seconds,
	    .host = c->host,
	    .all = c->all,
	    .width = width_of(c),
	};

	if (heading && !style->separator)
		buffer_format(out, "#%12s %12s  %-*s %11s %9s\n", "time", "counts", b.width,
			      "event", "rate", "of host");
	add_block(&b);
}

void stat_print_summary(struct buffer *out, const struct stat_style *style,
			const struct stat_counts *c, const char *subject)
{
	const struct block b = {
	    .out = out,
	    .style = style,
	    .counts = c,
	    .total = true,
	    .seconds = c->elapsed,
	    .host = c->host_total,
	    .all = c->all_total,
	    .width = width_of(c),
	};

	if (!style->separator)
		buffer_format(out, "\n Clock syscalls of %s in %.6f s:\n\n", subject, c->elapsed);
	add_block(&b);
	if (!style->separator)
		buffer_char(out, '\n');
}

static void add_command(struct buffer *out, char **argv, bool utf8)
{
	buffer_char(out, '\'');
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			buffer_char(out, ' ');
		add_safe(out, argv[i], strlen(argv[i]), utf8);
	}
	buffer_char(out, '\'');
}

void stat_print_subject(struct buffer *out, const struct options *o, bool utf8)
{
	const char *joint = " (";

	if (options_counts_command(o)) {
		add_command(out, o->argv, utf8);
	} else if (o->nr_pids) {
		buffer_format(out, "process%s ", o->nr_pids == 1 ? "" : "es");
		for (size_t i = 0; i < o->nr_pids; i++)
			buffer_format(out, "%s%u", i ? ", " : "", o->pids[i]);
	} else {
		buffer_text(out, "the host");
	}
	for (size_t i = 0; i < o->nr_uids; i++) {
		buffer_format(out, "%suid %u", joint, (unsigned int)o->uids[i]);
		joint = ", ";
	}
	if (o->has_comm) {
		buffer_format(out, "%sname ", joint);
		add_safe(out, o->comm_text, strlen(o->comm_text), utf8);
		joint = ", ";
	}
	if (o->events != (1U << NR_CALL) - 1)
		for (int i = 0; i < NR_CALL; i++)
			if (o->events & 1U << i) {
				buffer_format(out, "%s%s", joint, call_name((enum call)i));
				joint = ", ";
			}
	if (o->min_rate > 0) {
		buffer_format(out, "%sfrom %.10g a second", joint, o->min_rate);
		joint = ", ";
	}
	if (*joint == ',')
		buffer_char(out, ')');
}
