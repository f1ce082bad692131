// SPDX-License-Identifier: GPL-2.0-only
/*
 * `why`: samples for a while, in short steps so that processes are looked at
 * while they live, and explains the sum.
 */
#include "why.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "commands.h"
#include "message.h"
#include "output.h"
#include "proc.h"
#include "reading.h"
#include "session.h"
#include "signals.h"
#include "text.h"
#include "why_json.h"
#include "why_sum.h"

#define SECOND 1000000000ULL
#define STEP (SECOND / 10)
#define STEPS 50 /* at most; a long sample has longer ones */
#define WIDTH 80

struct why {
	const struct options *o;
	struct proc_id *named; /* the PIDs, in their order; nr_pids of them */
	struct sink *csv;
	struct output *json;
	struct session session;
	struct why_sum sum;
	bool cut; /* what was to be printed could not be, all of it */
};

/* Finds the processes that were named; a thread's number names its process. */
static int find_named(struct why *w)
{
	const struct options *o = w->o;

	if (!o->nr_pids)
		return STATUS_OK;
	w->named = calloc(o->nr_pids, sizeof(*w->named));
	if (!w->named) {
		message("%s", strerror(ENOMEM));
		return STATUS_CANNOT;
	}
	for (size_t i = 0; i < o->nr_pids; i++) {
		struct proc_status status;

		if (proc_status(o->pids[i], &status) == 0 && status.tgid) {
			w->named[i].pid = status.tgid;
			w->named[i].start_ns = proc_start_ns(status.tgid);
		}
		if (!w->named[i].start_ns) {
			message("pid %u: no such process", o->pids[i]);
			return STATUS_USAGE;
		}
	}
	return STATUS_OK;
}

static int open_files(struct why *w)
{
	const char *path = w->o->csv;
	int err = path ? sink_open(&w->csv, SINK_CSV, path) : 0;

	if (!err && w->o->json) {
		path = w->o->json;
		err = output_open(&w->json, path, OUTPUT_REPLACE);
	}
	if (!err)
		return STATUS_OK;
	message("%s: %s", path, strerror(-err));
	return STATUS_USAGE;
}

/* Samples until the time is over or a signal ends it early.  0 or -errno. */
static int sample(struct why *w)
{
	uint64_t length = (uint64_t)(w->o->delay * (double)SECOND);
	uint64_t step = length / STEPS > STEP ? length / STEPS : STEP;
	uint64_t now = reading_now(), end = now + length;
	int said = 0;

	evidences_keep(w->session.evidences);
	while (!said && now < end) {
		int err;

		said =
		    session_wait(&w->session, end - now < step + step / 2 ? end : now + step, -1);
		err = session_step(&w->session);
		if (!err)
			err = why_sum_add(&w->sum, &w->session.interval);
		if (err)
			return err;
		now = reading_now();
	}
	if (said)
		signals_hurry();
	evidences_complete(w->session.evidences, &w->sum.interval);
	return 0;
}

/* Whether a record is of a named process.  /proc knows its start to a tick, the
 * kernel side to the nanosecond: the record's is taken over. */
static bool is_named(const struct record *r, struct proc_id *named)
{
	if (r->proc.pid != named->pid)
		return false;
	if (r->proc.start_ns < named->start_ns ||
	    r->proc.start_ns - named->start_ns >= SECOND / (uint64_t)sysconf(_SC_CLK_TCK))
		return false;
	named->start_ns = r->proc.start_ns;
	return true;
}

static bool is_wanted(struct why *w, const struct record *r)
{
	for (size_t i = 0; i < w->o->nr_pids; i++)
		if (is_named(r, &w->named[i]))
			return true;
	return !w->o->nr_pids;
}

/* A process and its calls. */
struct busy {
	struct proc_id proc;
	uint64_t count;
};

static int busiest_first(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->proc.pid < y->proc.pid ? -1 : x->proc.pid > y->proc.pid;
}

static int by_process(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	if (x->proc.pid != y->proc.pid)
		return x->proc.pid < y->proc.pid ? -1 : 1;
	return x->proc.start_ns < y->proc.start_ns   ? -1
	       : x->proc.start_ns > y->proc.start_ns ? 1
						     : 0;
}

/* The processes to explain: the named ones in their order, or all that made
 * calls, the busiest first.  NULL without memory or with *nr = 0. */
static struct busy *list(struct why *w, size_t *nr)
{
	const struct interval *iv = &w->sum.interval;
	size_t room = w->o->nr_pids ? w->o->nr_pids : iv->nr, used = 0;
	struct busy *busy = room ? calloc(room, sizeof(*busy)) : NULL;

	*nr = busy ? room : 0;
	if (!busy)
		return NULL;
	if (w->o->nr_pids) {
		for (size_t i = 0; i < room; i++)
			busy[i].proc = w->named[i];
		return busy;
	}
	for (size_t i = 0; i < room; i++)
		busy[i] = (struct busy){iv->records[i].proc, iv->records[i].calls.count};
	qsort(busy, room, sizeof(*busy), by_process);
	for (size_t i = 0; i < room; i++) {
		if (used && proc_id_equal(busy[used - 1].proc, busy[i].proc))
			busy[used - 1].count += busy[i].count;
		else
			busy[used++] = busy[i];
	}
	qsort(busy, used, sizeof(*busy), busiest_first);
	*nr = used;
	return busy;
}

static bool is_standard_output(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static unsigned int width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_col < WIDTH)
		return size.ws_col;
	return WIDTH;
}

static bool colours(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && no[0]) && term && strcmp(term, "dumb") != 0;
}

static struct why_context context(struct why *w)
{
	struct session *s = &w->session;

	return (struct why_context){
	    .host = &s->host,
	    .served = &s->served,
	    .cost = &s->cost,
	    .evidences = s->evidences,
	    .interval = &w->sum.interval,
	    .users = s->users,
	    .cost_of = session_cost,
	    .cost_arg = s,
	    .width = width(),
	    .colour = colours(),
	    .utf8 = text_utf8(),
	};
}

static void print_text(struct why *w, const struct why_context *c, const struct busy *busy,
		       size_t nr)
{
	int err;

	if (is_standard_output(w->o->csv) || is_standard_output(w->o->json))
		return;
	signals_writing(STDOUT_FILENO, false);
	why_host(stdout, c);
	for (size_t i = 0; i < nr; i++) {
		putchar('\n');
		why_process(stdout, c, busy[i].proc);
	}
	if (!nr)
		printf("\nNo process made a clock syscall in %.1f s.\n", c->interval->seconds);
	err = fflush(stdout) != 0 ? errno : 0;
	if (signals_written())
		err = EINTR;
	if (err && err != EPIPE) {
		message("standard output: %s", signals_error(err));
		w->cut = true;
	}
}

static void write_json(struct why *w, const struct why_context *c, const struct busy *busy,
		       size_t nr)
{
	struct buffer out = {0};
	int err;

	if (!w->json)
		return;
	why_json_host(&out, c);
	for (size_t i = 0; i < nr; i++)
		why_json_process(&out, c, busy[i].proc);
	err = out.failed ? -ENOMEM : output_write(w->json, out.data, out.len);
	buffer_free(&out);
	if (!err || err == -EPIPE)
		return;
	message("%s: %s", w->o->json, signals_error(-err));
	w->cut = true;
}

/* The records that are explained, and the host's. */
static void write_csv(struct why *w)
{
	struct interval *iv = &w->sum.interval;
	size_t nr = 0;
	int err;

	if (!w->csv)
		return;
	for (size_t i = 0; i < iv->nr; i++)
		if (is_wanted(w, &iv->records[i]))
			iv->records[nr++] = iv->records[i];
	iv->nr = nr;
	err = sink_write(w->csv, iv, false, w->session.users);
	if (!err || err == -EPIPE)
		return;
	message("%s: %s", w->o->csv, signals_error(-err));
	w->cut = true;
}

/* Explains what was sampled.  Returns the exit status. */
static int explain(struct why *w)
{
	struct why_context c = context(w);
	struct busy *busy;
	size_t nr;

	for (size_t i = 0; i < w->sum.interval.nr; i++)
		is_wanted(w, &w->sum.interval.records[i]); /* finds their exact starts */
	busy = list(w, &nr);
	if (!busy && (w->sum.interval.nr || w->o->nr_pids)) {
		message("%s", strerror(ENOMEM));
		return STATUS_CANNOT;
	}
	if (!busy)
		nr = 0;
	print_text(w, &c, busy, nr);
	write_json(w, &c, busy, nr);
	write_csv(w); /* last: it drops the records of others */
	free(busy);
	return w->cut ? STATUS_INCOMPLETE : STATUS_OK;
}

static int close_files(struct why *w)
{
	int csv = sink_close(w->csv), json = output_close(w->json);

	if (csv)
		message("%s: %s", w->o->csv, strerror(-csv));
	if (json)
		message("%s: %s", w->o->json, strerror(-json));
	return csv || json ? STATUS_INCOMPLETE : STATUS_OK;
}

static int measure(struct why *w)
{
	struct options own = *w->o;
	int status, closed, err;

	/* The session measures all of the host; the files are our own. */
	own.csv = own.json = NULL;
	own.pids = NULL;
	own.nr_pids = 0;
	status = session_open(&w->session, &own, 0);
	if (status == STATUS_OK) {
		err = sample(w);
		if (err) {
			message("cannot measure: %s", strerror(-err));
			status = STATUS_CANNOT;
		} else {
			status = explain(w);
		}
	}
	closed = session_close(&w->session);
	return status ? status : closed;
}

int command_why(const struct options *o)
{
	struct why w = {.o = o};
	int status, closed, err = signals_open();

	if (err) {
		message("signals: %s", strerror(-err));
		return STATUS_CANNOT;
	}
	why_sum_init(&w.sum);
	status = find_named(&w);
	if (!status)
		status = open_files(&w);
	if (!status)
		status = measure(&w);
	closed = close_files(&w);
	why_sum_free(&w.sum);
	free(w.named);
	signals_close();
	return status ? status : closed;
}
