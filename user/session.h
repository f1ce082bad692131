/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A measurement under way: host, served clocks, collector, differ, evidence
 * and the output files, put together in the order that the design asks for
 * (files opened, costs measured, programs attached, privilege dropped).  The
 * screen, batch, stat, why and check all run on one; each refresh is one
 * session_step().
 */
#ifndef CLOCKTOP_SESSION_H
#define CLOCKTOP_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "collector.h"
#include "evidence.h"
#include "host.h"
#include "options.h"
#include "record.h"
#include "served.h"
#include "sink.h"
#include "table.h"
#include "users.h"

struct session {
	const struct options *options;
	struct host host;
	struct served served;	 /* now */
	struct served_cost cost; /* before anything was attached; not for stat and check */
	struct collector *collector;
	struct evidences *evidences;
	struct users *users;
	struct interval interval; /* the last one */
	struct interval shown;	  /* what -p -u -c -e leave of it: views use this */
	struct sink *csv, *json;
	double elapsed;		  /* seconds since counting began */
	uint64_t missed;	  /* since then */
	uint64_t host_calls;	  /* since then */
	uint64_t clock_calls;	  /* since then, of the host, before filters */
	bool clocksource_changed; /* in the last step */
	/* private */
	struct differ *differ;
	bool threads;		/* a record stands for a thread */
	struct interval folded; /* shown, by process, when only the files need that */
	struct sample sample;
	unsigned long long next_look;  /* CLOCK_MONOTONIC, ns */
	unsigned long long look_after; /* ns */
	struct map *costs;	       /* of a process's own CPU-time clock, by process */
};

/* Starts one: opens the files, measures what a read costs, attaches, takes
 * the first sample, drops privilege.  child is the held COMMAND's pid, which is
 * followed as -p's are, or 0.  0, or an exit status (2 or 3) after one line on
 * standard error.  session_close() gives everything back after any result. */
int session_open(struct session *s, const struct options *o, uint32_t child);

/* From the next step on a record stands for a thread, or for a process.  The
 * output files stay as the options say. */
void session_threads(struct session *s, bool threads);

/* What each living thread did since counting began, as of the last step: one
 * record for each and each kind of call, without causes, filters and seconds.
 * iv's memory is reused.  0 or -ENOMEM. */
int session_thread_totals(struct session *s, struct interval *iv);

/* signals_wait(), and on the way, soon after the start and then once a second,
 * empties what the kernel keeps of exited tasks, so that long intervals lose
 * nothing, and looks at processes that are new, so that those that end before
 * the interval are known.  Returns what it returns. */
int session_wait(struct session *s, unsigned long long deadline_ns, int fd);

/* Ends the interval: reads the kernel, computes s->interval and s->shown, and
 * writes them to the output files.  0 or -errno (the interval was lost and
 * counted).  -EPIPE: the reader of an output went away: end quietly. */
int session_step(struct session *s);

/* Say it before the last step: whoever reads is waited for no longer than a
 * second from now on. */
void session_hurry(struct session *s);

/* Cost of one call of r in ns, or NAN: measured, per process for
 * CLOCK_PROCESS_CPUTIME_ID.  Has table_cost_fn's shape. */
double session_cost(void *session, const struct record *r);

/* Ends it.  Returns the exit status: 0, or 1 after a line on standard error
 * for each thing that is incomplete (calls missed, intervals not written). */
int session_close(struct session *s);

#endif
