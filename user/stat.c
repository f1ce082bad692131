// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command stat: counts until COMMAND, the processes of -p, a limit or a
 * signal ends it, and prints on the way.  What it adds up is in stat_counts.c,
 * how it looks in stat_print.c.
 */
#include "commands.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "child.h"
#include "message.h"
#include "output.h"
#include "session.h"
#include "signals.h"
#include "stat_counts.h"
#include "stat_print.h"
#include "text.h"
#include "watch.h"

#define SECOND 1e9
#define NEVER UINT64_MAX
#define HEADING_EVERY 25 /* intervals, as perf stat */

struct stat {
	const struct options *o;
	struct session session;
	struct stat_counts counts;
	struct stat_style style;
	struct output *output;
	struct buffer text;    /* what is printed at once */
	struct watch watch;    /* the processes of -p, when they decide the end */
	unsigned long printed; /* intervals */
	bool asked;	       /* a signal asked for the end */
	bool complete;	       /* the last interval ended with the measurement */
	int status;	       /* of clocktop itself */
	int output_error;      /* the first one; -EPIPE: the reader went away */
	bool step_failed;      /* said already */
	bool child;	       /* COMMAND runs */
	int child_status;
	int passed_on; /* the signal that COMMAND was sent */
	int left_by;   /* the signal that ended clocktop while COMMAND runs */
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

static enum stat_rows rows_of(const struct options *o)
{
	if (o->has_group && o->group == GROUP_COMMAND)
		return STAT_COMMANDS;
	if (o->has_group && o->group == GROUP_CONTAINER)
		return STAT_CONTAINERS;
	if (o->threads)
		return STAT_THREADS;
	return o->has_group || o->nr_pids > 1 ? STAT_PROCESSES : STAT_NO_ROWS;
}

/* Writes s->text and empties it. */
static void flush(struct stat *s)
{
	int err = 0;

	if (s->text.failed)
		err = -ENOMEM;
	else if (s->text.len && s->output_error != -EPIPE)
		err = output_write(s->output, s->text.data, s->text.len);
	if (err && !s->output_error)
		s->output_error = err;
	buffer_clear(&s->text);
}

static int open_output(struct stat *s)
{
	const char *path = s->o->output;
	time_t now = time(NULL);
	char date[64];
	struct tm local;
	int err;

	if (path)
		err = output_open(&s->output, path, s->o->append ? OUTPUT_APPEND : OUTPUT_REPLACE);
	else
		err = output_open_stderr(&s->output);
	if (err) {
		message("%s: %s", path ? path : "standard error", strerror(-err));
		return STATUS_USAGE;
	}
	if (path && strcmp(path, "-") != 0 && localtime_r(&now, &local) &&
	    strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &local))
		buffer_format(&s->text, "# started on %s\n\n", date);
	return STATUS_OK;
}

/* Ends the interval and takes it in. */
static void step(struct stat *s)
{
	int err = session_step(&s->session);

	if (err == -EPIPE) {
		s->output_error = -EPIPE;
		err = 0;
	}
	if (!err)
		err = stat_counts_add(&s->counts, &s->session.shown);
	if (!err)
		return;
	s->status = STATUS_INCOMPLETE;
	if (!s->step_failed)
		message("an interval was lost: %s", strerror(-err));
	s->step_failed = true;
}

static void step_and_print(struct stat *s)
{
	step(s);
	stat_print_interval(&s->text, &s->style, &s->counts, s->printed++ % HEADING_EVERY == 0);
	flush(s);
}

/* Whether what a signal asks for ends the measurement.  While COMMAND runs it
 * is COMMAND that Ctrl-C is meant for, and the others are passed on; a second
 * one is for clocktop, which then leaves COMMAND alone. */
static bool signal_ends(struct stat *s, int signal)
{
	int err;

	if (signal == SIGWINCH)
		return false;
	if (signal == SIGCHLD) {
		if (!s->child || !child_ended(&s->child_status))
			return false;
		s->child = false;
		return true;
	}
	s->asked = true;
	if (!s->child)
		return true;
	if (signal == SIGINT)
		return false;
	if (!s->passed_on) {
		s->passed_on = signal;
		err = child_signal(signal);
		if (!err || err == -ESRCH)
			return false;
		message("%s: cannot pass signal %d on: %s", s->o->argv[0], signal, strerror(-err));
	}
	s->left_by = signal;
	return true;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Counts until something ends it.  Returns whether it was --timeout. */
static bool measure(struct stat *s)
{
	const struct options *o = s->o;
	const uint64_t interval = (uint64_t)(o->interval * SECOND);
	const uint64_t start = now_ns();
	const uint64_t end = o->timeout > 0 ? start + (uint64_t)(o->timeout * SECOND) : NEVER;
	uint64_t next = interval ? start + interval : NEVER;
	long left = o->interval_count;

	while (s->output_error != -EPIPE) {
		int got = session_wait(&s->session, earlier(next, end), s->watch.fd);
		uint64_t now = now_ns();

		s->complete = false;
		if (got > 0 ? signal_ends(s, got) : got < 0 && watch_all_ended(&s->watch))
			return false;
		if (interval && got == 0 && now >= next) {
			step_and_print(s);
			s->complete = true;
			if (left && --left == 0)
				return false;
			/* a program that was stopped meanwhile does not catch up */
			next += (1 + (now - next) / interval) * interval;
		}
		if (now >= end)
			return true;
	}
	return false;
}

/* The rest: the last interval unless one has just ended, and the summary. */
static void finish(struct stat *s)
{
	struct buffer subject = {0};

	if (s->output_error == -EPIPE)
		return;
	/* A slow reader gets everything, unless somebody waits for the end. */
	if (s->asked) {
		output_hurry(s->output);
		session_hurry(&s->session);
	}
	if (s->o->interval <= 0)
		step(s);
	else if (!s->complete)
		step_and_print(s);
	if (!s->style.separator || s->o->interval <= 0) {
		stat_print_subject(&subject, s->o, s->style.utf8);
		s->text.failed |= subject.failed;
		stat_print_summary(&s->text, &s->style, &s->counts, buffer_string(&subject));
	}
	flush(s);
	buffer_free(&subject);
}

/* COMMAND goes on after the measurement (--interval-count, or it takes its
 * time after --timeout): its end is waited for as before. */
static void wait_for_child(struct stat *s)
{
	while (s->child && !s->left_by)
		signal_ends(s, signals_wait(NEVER, -1));
}

static int close_output(struct stat *s)
{
	const char *path = s->o->output;
	int err;

	if (!s->output)
		return STATUS_OK;
	err = output_close(s->output);
	if (!s->output_error)
		s->output_error = err;
	if (!s->output_error || s->output_error == -EPIPE)
		return STATUS_OK;
	message("%s: %s; not all of it was printed", path ? path : "standard error",
		signals_error(-s->output_error));
	return STATUS_INCOMPLETE;
}

/* Counts and prints.  What ends it at once is returned as exit status. */
static int run(struct stat *s)
{
	if (s->o->argv) {
		int err = child_go();

		if (err) {
			message("%s: %s", *s->o->argv[0] ? s->o->argv[0] : "''", strerror(err));
			return child_cannot_status(err);
		}
		s->child = true;
	}
	if (measure(s) && s->child) {
		s->passed_on = SIGTERM;
		child_signal(SIGTERM);
	}
	finish(s);
	return STATUS_OK;
}

/* From signals and COMMAND (held) to the session's end. */
static int count(struct stat *s, pid_t child)
{
	const struct options *o = s->o;
	int status, closed, err;

	status = open_output(s);
	if (status)
		return status;
	/* perf stat -p ends with its processes, too */
	err = o->nr_pids && !o->argv ? watch_open(&s->watch, o->pids, o->nr_pids) : 0;
	if (err) {
		message("--pid: %s", strerror(-err));
		return STATUS_CANNOT;
	}
	status = session_open(&s->session, o, options_counts_command(o) ? (uint32_t)child : 0);
	if (!status) {
		s->style.host_event = collector_host_event(s->session.collector);
		status = run(s);
	}
	closed = session_close(&s->session);
	if (closed)
		s->status = closed;
	return status;
}

int command_stat(const struct options *o)
{
	struct stat s = {
	    .o = o,
	    .style =
		{
		    .separator = o->separator,
		    .min_rate = o->min_rate,
		    .utf8 = text_utf8(),
		},
	    .watch = {.fd = -1},
	};
	pid_t child = 0;
	int status, closed, err;

	err = signals_open();
	if (!err && o->argv) {
		child = child_start(o->argv);
		if (child < 0)
			err = child;
	}
	if (err) {
		message("cannot start: %s", strerror(-err));
		return STATUS_CANNOT;
	}
	stat_counts_init(&s.counts, rows_of(o));
	status = count(&s, child);
	closed = close_output(&s);
	if (closed)
		s.status = closed;
	child_abort();
	wait_for_child(&s);
	if (!status)
		status = s.left_by ? 128 + s.left_by : s.child_status;
	if (!status)
		status = s.status;
	watch_close(&s.watch);
	stat_counts_free(&s.counts);
	buffer_free(&s.text);
	signals_close();
	return status;
}
