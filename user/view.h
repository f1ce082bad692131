/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the live screen and batch mode have in common: a session, the table of
 * what it counted, and what stands above it.  It draws nothing.
 */
#ifndef CLOCKTOP_VIEW_H
#define CLOCKTOP_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "header.h"
#include "options.h"
#include "session.h"
#include "sparkline.h"
#include "table.h"
#include "watch.h"

struct view {
	const struct options *options;
	struct session session;
	struct table *table;
	struct table_filter filter;
	struct table_view what; /* group, threads, sort, … */
	struct sparkline history;
	struct header_sums sums;
	bool measured;	    /* an interval has ended */
	struct watch watch; /* the processes of -p */
	bool watched_ended; /* all of them have */
	char unseen[128];
	bool utf8;
	double delay;		     /* seconds between refreshes */
	unsigned long long last;     /* when the last refresh was due, CLOCK_MONOTONIC, ns */
	unsigned long long deadline; /* of the next */
	bool records_threads;	     /* the session's records stand for threads */
};

/* Starts the session.  0, or an exit status after a line on standard error.
 * view_close() gives everything back after any result. */
int view_open(struct view *v, const struct options *o);

/* CLOCK_MONOTONIC, in ns. */
unsigned long long view_now(void);

/* Moves the deadline one delay on: past now, if clocktop was stopped. */
void view_next_deadline(struct view *v);

/* Whether it has come. */
bool view_is_due(const struct view *v);

/* Changes the delay, and the deadline with it. */
void view_set_delay(struct view *v, double seconds);

/* Rows for threads, or for processes again.  Threads' totals are since the
 * start, as all are; their rates begin with the next interval.  0 or -ENOMEM:
 * some threads are not shown yet. */
int view_set_threads(struct view *v, bool threads);

/* Ends the interval: the session's step, and the table's.  0 or -errno, as
 * session_step(); after -EPIPE the interval is in the table nevertheless. */
int view_step(struct view *v);

/* Makes the header.  live: it says whether time goes on, and paused whether
 * the display does. */
void view_header(const struct view *v, struct header *h, size_t width, bool live, bool paused);

/* Ends the session.  Returns its exit status. */
int view_close(struct view *v);

#endif
