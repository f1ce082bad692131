/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How stat prints: a line for each event in each interval and a summary, for
 * people or with a separator for programs.  It adds up nothing.
 */
#ifndef CLOCKTOP_STAT_PRINT_H
#define CLOCKTOP_STAT_PRINT_H

#include "buffer.h"
#include "options.h"
#include "stat_counts.h"

struct stat_style {
	const char *separator;	/* between the fields of a line, or NULL: for people */
	const char *host_event; /* the tracepoint that counts the host's syscalls */
	double min_rate;	/* lines below are left out, the host's never */
	bool utf8;		/* whether names may be shown as such */
};

/* What was counted: "the host", "'./program -x'", "processes 12, 13", with the
 * filters in brackets.  Adds it to out, safe for a terminal. */
void stat_print_subject(struct buffer *out, const struct options *o, bool utf8);

/* Adds a line for each event with calls in the last interval, largest first,
 * and one for the host's; those of its rows follow an event's.  heading: the
 * line that names the columns comes first (not with a separator).
 *
 * With a separator each line has the same fields:
 *   time       seconds since the start, at the interval's end
 *   count      calls
 *   event      the syscall, the host's tracepoint, or "missed": clock
 *              syscalls that could not be counted (only when there are any)
 *   rate       calls a second
 *   share      percent of the host's syscalls
 *   fallbacks  percent of the calls that the vDSO made
 *   errors     calls that failed
 *   pid, tid   of a row; empty otherwise
 *   name       of a row; it comes last because it may hold the separator
 * share to errors are empty for the host and "missed". */
void stat_print_interval(struct buffer *out, const struct stat_style *style,
			 const struct stat_counts *c, bool heading);

/* Adds the summary since the start; subject as above.  With a separator it has
 * the lines of stat_print_interval(), of the whole time. */
void stat_print_summary(struct buffer *out, const struct stat_style *style,
			const struct stat_counts *c, const char *subject);

#endif
