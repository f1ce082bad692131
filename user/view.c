// SPDX-License-Identifier: GPL-2.0-only
#include "view.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/capability.h>
#include <time.h>

#include "commands.h"
#include "interval.h"
#include "message.h"
#include "text.h"

#define SECOND 1000000000ULL

unsigned long long view_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_sec * SECOND + (unsigned long long)t.tv_nsec;
}

static bool has(cap_value_t capability)
{
	cap_t caps = cap_get_proc();
	cap_flag_value_t set = CAP_CLEAR;

	if (!caps)
		return false;
	if (cap_get_flag(caps, capability, CAP_EFFECTIVE, &set) != 0)
		set = CAP_CLEAR;
	cap_free(caps);
	return set == CAP_SET;
}

/* What the causes cannot rest on for want of a capability; "" for nothing. */
static void find_unseen(char *buf, size_t size)
{
	bool processes = !has(CAP_SYS_PTRACE), files = !has(CAP_DAC_READ_SEARCH);

	snprintf(buf, size, "%s%s%s", processes ? "other users' processes (CAP_SYS_PTRACE)" : "",
		 processes && files ? ", " : "",
		 files ? "files closed to this user (CAP_DAC_READ_SEARCH)" : "");
}

int view_open(struct view *v, const struct options *o)
{
	int status;

	memset(v, 0, sizeof(*v));
	v->options = o;
	v->utf8 = text_utf8();
	v->delay = o->delay;
	v->records_threads = o->threads;
	v->filter = table_filter_of(o);
	v->watch.fd = -1;
	v->what = (struct table_view){
	    .group = o->group,
	    .threads = o->threads,
	    .sort = o->sort,
	    .min_rate = o->min_rate,
	};
	v->table = table_new();
	if (!v->table)
		message("%s", strerror(ENOMEM));
	/* What cannot be watched (a thread's id) is counted all the same. */
	if (o->nr_pids && watch_open(&v->watch, o->pids, o->nr_pids))
		watch_close(&v->watch);
	status = session_open(&v->session, o, 0);
	find_unseen(v->unseen, sizeof(v->unseen));
	v->deadline = view_now();
	return status ? status : v->table ? STATUS_OK : STATUS_CANNOT;
}

static unsigned long long delay_ns(const struct view *v)
{
	return (unsigned long long)(v->delay * SECOND);
}

void view_next_deadline(struct view *v)
{
	unsigned long long now = view_now();

	v->last = v->deadline;
	v->deadline += delay_ns(v);
	if (v->deadline < now) {
		v->last = now;
		v->deadline = now + delay_ns(v);
	}
}

bool view_is_due(const struct view *v)
{
	return view_now() >= v->deadline;
}

void view_set_delay(struct view *v, double seconds)
{
	v->delay = seconds;
	v->deadline = v->last + delay_ns(v);
}

int view_set_threads(struct view *v, bool threads)
{
	/* With -H the files have threads in any case. */
	bool records = threads || v->options->threads;
	struct interval totals;
	int err = 0;

	v->what.threads = threads;
	if (records == v->records_threads)
		return 0;
	v->records_threads = records;
	session_threads(&v->session, records);
	if (!records) {
		table_drop_threads(v->table);
		return 0;
	}
	interval_init(&totals);
	err = session_thread_totals(&v->session, &totals);
	if (!err)
		err = table_add_threads(v->table, &totals, &v->filter);
	interval_free(&totals);
	return err;
}

int view_step(struct view *v)
{
	const struct interval *iv = &v->session.interval;
	int err = session_step(&v->session);
	const struct record *settled;
	size_t nr_settled;
	int table_err;

	if (err && err != -EPIPE)
		return err;
	table_err = table_add(v->table, iv, &v->filter, session_cost, &v->session);
	settled = evidences_settled(v->session.evidences, &nr_settled);
	table_settle(v->table, settled, nr_settled);
	v->sums = header_sum(iv, session_cost, &v->session);
	if (iv->seconds > 0)
		sparkline_add(&v->history, (double)v->sums.calls / iv->seconds);
	v->measured = true;
	v->watched_ended = v->watch.fd >= 0 && watch_all_ended(&v->watch);
	return err ? err : table_err;
}

void view_header(const struct view *v, struct header *h, size_t width, bool live, bool paused)
{
	const struct session *s = &v->session;
	const struct header_input in = {
	    .host = &s->host,
	    .served = &s->served,
	    .cost = &s->cost,
	    .uptime = host_uptime(),
	    .delay = v->delay,
	    .live = live,
	    .paused = paused,
	    .interval = v->measured ? &s->interval : NULL,
	    .sums = v->sums,
	    .history = &v->history,
	    .missed = s->missed,
	    .watched_ended = v->watched_ended,
	    .unseen = v->unseen[0] ? v->unseen : NULL,
	    .utf8 = v->utf8,
	    .width = width,
	};

	header_make(h, &in);
}

int view_close(struct view *v)
{
	table_free(v->table);
	watch_close(&v->watch);
	return session_close(&v->session);
}
