// SPDX-License-Identifier: GPL-2.0-only
#include "session.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi.h"
#include "commands.h"
#include "fold.h"
#include "interval.h"
#include "map.h"
#include "message.h"
#include "privilege.h"
#include "proc.h"
#include "signals.h"

#define SECOND 1000000000ULL
#define FIRST_LOOK (SECOND / 64) /* after the start */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static bool process_lives(struct proc_id proc)
{
	return proc_is(proc.pid, proc.start_ns);
}

static int open_sink(struct sink **sink, enum sink_format format, const char *path)
{
	int err;

	if (!path)
		return STATUS_OK;
	err = sink_open(sink, format, path);
	if (!err)
		return STATUS_OK;
	message("%s: %s", path, strerror(-err));
	return STATUS_USAGE;
}

/* Loads the programs with the pids that -p and COMMAND chose. */
static int open_collector(struct session *s, uint32_t child)
{
	const struct options *o = s->options;
	struct collector_config config = {.follow = o->nr_pids || child};
	char err[512];
	int status;

	config.pids = o->pids;
	config.nr_pids = o->nr_pids;
	status = collector_open(&s->collector, &config, err, sizeof(err));
	if (status) {
		message("%s", err);
		return status;
	}
	if (child) {
		int error = collector_follow(s->collector, child);

		if (error) {
			message("cannot follow pid %u: %s", child, strerror(-error));
			return STATUS_CANNOT;
		}
	}
	return STATUS_OK;
}

static int out_of_memory(void)
{
	message("%s", strerror(ENOMEM));
	return STATUS_CANNOT;
}

/* What is new is looked at soon, what is old seldom. */
static void plan_look(struct session *s)
{
	if (s->look_after < SECOND)
		s->look_after *= 2;
	if (s->look_after > SECOND)
		s->look_after = SECOND;
	s->next_look = now_ns() + s->look_after;
}

int session_open(struct session *s, const struct options *o, uint32_t child)
{
	int status, err;

	memset(s, 0, sizeof(*s));
	s->options = o;
	interval_init(&s->interval);
	interval_init(&s->shown);
	interval_init(&s->folded);
	s->threads = o->threads;
	sample_init(&s->sample);
	status = open_sink(&s->csv, SINK_CSV, o->csv);
	if (!status)
		status = open_sink(&s->json, SINK_JSON, o->json);
	if (status)
		return status;

	host_read(&s->host);
	served_ask(&s->served); /* on failure all is unknown, and causes say so */
	if (o->command != COMMAND_STAT && o->command != COMMAND_CHECK) /* they say no costs */
		served_measure(&s->cost, &s->served);
	s->users = users_new();
	s->differ = differ_new(o->threads, process_lives);
	s->costs = malloc(sizeof(*s->costs));
	if (!s->users || !s->differ || !s->costs)
		return out_of_memory();
	map_init(s->costs, sizeof(struct proc_key), sizeof(double));

	status = open_collector(s, child);
	if (status)
		return status;
	s->evidences = evidences_new(&s->host, s->collector, &s->served);
	if (!s->evidences)
		return out_of_memory();
	if (options_follow(o))
		evidences_only_followed(s->evidences);
	err = collector_read(s->collector, &s->sample);
	if (!err)
		err = differ_step(s->differ, &s->sample, (uint32_t)getpid(), &s->interval);
	if (!err)
		err = privilege_drop();
	s->look_after = FIRST_LOOK / 2;
	plan_look(s);
	if (err) {
		message("cannot start measuring: %s", strerror(-err));
		return STATUS_CANNOT;
	}
	return STATUS_OK;
}

void session_threads(struct session *s, bool threads)
{
	s->threads = threads;
	differ_threads(s->differ, threads);
}

int session_thread_totals(struct session *s, struct interval *iv)
{
	return differ_totals(s->differ, (uint32_t)getpid(), iv);
}

/* What fails here the next sample says. */
static void look(struct session *s)
{
	collector_drain(s->collector);
	if (collector_peek(s->collector, &s->sample) == 0)
		evidences_peek(s->evidences, &s->sample, (uint32_t)getpid());
	plan_look(s);
}

int session_wait(struct session *s, unsigned long long deadline_ns, int fd)
{
	int said;

	while (deadline_ns > s->next_look) {
		said = signals_wait(s->next_look, fd);
		if (said)
			return said;
		look(s);
	}
	return signals_wait(deadline_ns, fd);
}

/* Asks the vDSO again: cheap enough for each step, and a clocksource can lose
 * and regain its stability without changing its name. */
static void ask_served(struct session *s)
{
	struct served served;

	s->clocksource_changed = host_read_clocksource(&s->host);
	if (served_ask_again(&served, &s->served))
		return;
	if (!s->clocksource_changed && served_equal(&served, &s->served))
		return;
	s->served = served;
	evidences_served(s->evidences, &s->served, s->host.clocksource);
}

/* Copies what the filters leave. */
static int filter(struct session *s)
{
	const struct options *o = s->options;
	const struct interval *iv = &s->interval;
	const struct table_filter f = table_filter_of(o);
	struct record *records;
	size_t i, room;

	if (s->shown.room < iv->nr) {
		room = iv->room;
		records = realloc(s->shown.records, room * sizeof(*records));
		if (!records)
			return -ENOMEM;
		s->shown.records = records;
		s->shown.room = room;
	}
	s->shown.end = iv->end;
	s->shown.seconds = iv->seconds;
	s->shown.host_calls = iv->host_calls;
	s->shown.page_calls = iv->page_calls;
	s->shown.missed = iv->missed;
	s->shown.nr = 0;
	for (i = 0; i < iv->nr; i++) {
		const struct record *r = &iv->records[i];

		if (table_filter_record(&f, r))
			s->shown.records[s->shown.nr++] = *r;
	}
	return 0;
}

/* The processes that ended: all of them, whatever the filters leave. */
static int copy_gone(struct session *s)
{
	const struct interval *iv = &s->interval;
	struct gone *gone;

	if (s->shown.gone_room < iv->nr_gone) {
		gone = realloc(s->shown.gone, iv->gone_room * sizeof(*gone));
		if (!gone)
			return -ENOMEM;
		s->shown.gone = gone;
		s->shown.gone_room = iv->gone_room;
	}
	s->shown.nr_gone = iv->nr_gone;
	if (iv->nr_gone)
		memcpy(s->shown.gone, iv->gone, iv->nr_gone * sizeof(*gone));
	return 0;
}

static int compare_records(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->calls.count != y->calls.count)
		return x->calls.count < y->calls.count ? 1 : -1;
	if (x->proc.pid != y->proc.pid)
		return x->proc.pid < y->proc.pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return x->clock < y->clock ? -1 : x->clock > y->clock;
}

/* Writes the interval to the files, without the records below --min-rate: the
 * views add records up before they compare.  A file's trouble is counted there
 * and said at the end; only a reader that went away ends the run. */
static int write_sinks(struct session *s)
{
	struct sink *sinks[] = {s->csv, s->json};
	struct interval *iv = &s->shown;
	size_t i, all;
	double least;
	bool broken = false;

	if (!s->csv && !s->json)
		return 0;
	if (s->threads && !s->options->threads) {
		iv = &s->folded;
		if (interval_fold(&s->shown, iv))
			return -ENOMEM;
	}
	all = iv->nr;
	least = s->options->min_rate * iv->seconds;
	qsort(iv->records, iv->nr, sizeof(*iv->records), compare_records);
	while (iv->nr && (double)iv->records[iv->nr - 1].calls.count < least)
		iv->nr--;
	for (i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++)
		if (sinks[i] && sink_write(sinks[i], iv, s->options->threads, s->users) == -EPIPE)
			broken = true;
	iv->nr = all;
	return broken ? -EPIPE : 0;
}

static void add_totals(struct session *s)
{
	size_t i;

	s->elapsed += s->interval.seconds;
	s->missed += s->interval.missed;
	s->host_calls += s->interval.host_calls;
	for (i = 0; i < s->interval.nr; i++)
		s->clock_calls += s->interval.records[i].calls.count;
	for (i = 0; i < s->interval.nr_gone; i++) {
		struct proc_key k = proc_key(s->interval.gone[i].proc);

		if (!s->interval.gone[i].tid)
			map_remove(s->costs, &k);
	}
}

int session_step(struct session *s)
{
	int err;

	err = collector_read(s->collector, &s->sample);
	if (err)
		return err;
	ask_served(s);
	err = differ_step(s->differ, &s->sample, (uint32_t)getpid(), &s->interval);
	if (err)
		return err;
	evidences_apply(s->evidences, &s->interval);
	if (s->look_after == SECOND)
		plan_look(s);
	add_totals(s);
	err = filter(s);
	if (!err)
		err = copy_gone(s);
	return err ? err : write_sinks(s);
}

void session_hurry(struct session *s)
{
	signals_hurry();
	sink_hurry(s->csv);
	sink_hurry(s->json);
}

/*
 * What one read of a process's own CPU-time clock costs: it walks all its
 * threads, so it is measured for each process, through the id that names the
 * process (include/linux/posix-timers.h: ~pid << 3 | CPUCLOCK_SCHED).  The
 * least of a few reads: on a busy host any one of them can be interrupted.
 */
static double process_clock_cost(struct session *s, struct proc_id proc)
{
	struct proc_key k = proc_key(proc);
	const uint64_t begin = now_ns();
	double *cost, ns = NAN;
	struct timespec t;
	uint64_t start;
	bool fresh;
	int i;

	cost = map_put(s->costs, &k, &fresh);
	if (cost && !fresh)
		return *cost;
	for (i = 0; i < 5 && now_ns() - begin < 100000; i++) {
		start = now_ns();
		if (clock_gettime((clockid_t)((~proc.pid << 3) | 2), &t))
			break;
		ns = fmin(ns, (double)(now_ns() - start)); /* of NAN and x: x */
	}
	if (cost)
		*cost = ns;
	return ns;
}

double session_cost(void *session, const struct record *r)
{
	struct session *s = session;

	if (call_has_clock(r->call) && r->clock == CLOCK_PROCESS_CPUTIME_ID &&
	    (r->call == CALL_CLOCK_GETTIME || r->call == CALL_CLOCK_GETTIME64))
		return process_clock_cost(s, r->proc);
	return served_syscall_cost(&s->cost, r->call, r->clock);
}

static int close_sink(struct sink *sink, const char *path)
{
	unsigned long lost;
	int err, why;

	if (!sink)
		return 0;
	lost = sink_lost(sink);
	why = sink_error(sink);
	err = sink_close(sink);
	if (lost)
		message("%s: %s; %lu interval%s not in it", path, signals_error(-why), lost,
			lost == 1 ? " is" : "s are");
	else if (err)
		message("%s: %s; its end may be missing", path, strerror(-err));
	return lost || err;
}

int session_close(struct session *s)
{
	int status = STATUS_OK;

	if (close_sink(s->csv, s->options->csv))
		status = STATUS_INCOMPLETE;
	if (close_sink(s->json, s->options->json))
		status = STATUS_INCOMPLETE;
	if (s->missed) {
		message("%llu clock syscalls could not be counted", (unsigned long long)s->missed);
		status = STATUS_INCOMPLETE;
	}
	if (s->sample.follow_lost) {
		message("%llu processes could not be followed",
			(unsigned long long)s->sample.follow_lost);
		status = STATUS_INCOMPLETE;
	}
	evidences_free(s->evidences);
	collector_close(s->collector);
	differ_free(s->differ);
	users_free(s->users);
	sample_free(&s->sample);
	interval_free(&s->interval);
	interval_free(&s->shown);
	interval_free(&s->folded);
	if (s->costs)
		map_free(s->costs);
	free(s->costs);
	return status;
}
