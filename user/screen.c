// SPDX-License-Identifier: GPL-2.0-only
/* The live screen: waits, refreshes, and ends. */
#include "screen.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "fold.h"
#include "interval.h"
#include "message.h"
#include "proc.h"
#include "screen_term.h"
#include "signals.h"
#include "text.h"
#include "why.h"

#define DRAW_AGAIN 100000000ULL /* ns until a terminal is tried again */

/* The last interval by process, as diagnoses are. */
static const struct interval *by_process(struct screen *s)
{
	const struct interval *iv = &s->view.session.interval;

	if (!s->view.records_threads || interval_fold(iv, &s->folded))
		return iv;
	return &s->folded;
}

/* The diagnosis of s->why, with what it says of the host below it. */
static void make_why(struct screen *s)
{
	const struct session *session = &s->view.session;
	struct why_context c = {
	    .host = &session->host,
	    .served = &session->served,
	    .cost = &session->cost,
	    .evidences = session->evidences,
	    .interval = by_process(s),
	    .users = session->users,
	    .cost_of = session_cost,
	    .cost_arg = &s->view.session,
	    .width = (unsigned int)term_width(),
	    .utf8 = s->view.utf8,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	why_process(out, &c, s->why);
	fputc('\n', out);
	why_host(out, &c);
	if (fclose(out) == 0)
		pager_set(&s->pager, text); /* without memory the last one stays */
	free(text);
}

static void refresh_why(struct screen *s)
{
	const struct interval *iv = &s->view.session.interval;
	bool called = false;

	if (s->why_gone || !s->view.measured)
		return;
	for (size_t i = 0; i < iv->nr_gone; i++)
		if (!iv->gone[i].tid && proc_id_equal(iv->gone[i].proc, s->why))
			s->why_gone = true;
	for (size_t i = 0; !called && i < iv->nr; i++)
		called = proc_id_equal(iv->records[i].proc, s->why);
	/* What was last said of it stays when it ends without another call. */
	if (!s->why_gone || called || !s->pager.nr)
		make_why(s);
}

void screen_refresh(struct screen *s)
{
	struct view *v = &s->view;
	struct table *t = s->frozen ? s->frozen : v->table;

	if (list_refresh(&s->list, t, &v->what, v->session.users))
		screen_note(s, "%s", strerror(ENOMEM));
	if (s->panel == PANEL_WHY)
		refresh_why(s);
}

static int copy_interval(struct interval *to, const struct interval *from)
{
	*to = *from;
	to->gone = NULL;
	to->nr_gone = to->gone_room = 0;
	to->room = from->nr;
	to->records = malloc((from->nr + 1) * sizeof(*to->records));
	if (!to->records)
		return -ENOMEM;
	if (from->nr)
		memcpy(to->records, from->records, from->nr * sizeof(*to->records));
	return 0;
}

static void thaw(struct screen *s)
{
	table_free(s->frozen);
	s->frozen = NULL;
	interval_free(&s->frozen_interval);
}

void screen_new_header(struct screen *s)
{
	if (!s->frozen)
		view_header(&s->view, &s->header, term_width(), true, false);
}

void screen_pause(struct screen *s, bool pause)
{
	struct view *v = &s->view;

	if (pause) {
		s->frozen = table_copy(v->table);
		s->frozen_threads = v->records_threads;
		if (!s->frozen || copy_interval(&s->frozen_interval, &v->session.shown)) {
			thaw(s);
			screen_note(s, "%s", strerror(ENOMEM));
		}
	} else {
		thaw(s);
		/* The interval that it ended in may be over. */
		if (s->panel == PANEL_WHY && !proc_is(s->why.pid, s->why.start_ns))
			s->why_gone = true;
	}
	view_header(v, &s->header, term_width(), true, s->frozen != NULL);
	screen_refresh(s);
}

/* Ends the interval.  The display, when paused, stays as it is. */
static void step(struct screen *s)
{
	struct view *v = &s->view;
	int err = view_step(v);

	view_next_deadline(v);
	if (err == -EPIPE)
		s->end = true;
	else if (err)
		screen_note(s, "an interval was lost: %s", strerror(-err));
	if (s->frozen)
		return;
	command_lines_renew(&s->command_lines);
	screen_new_header(s);
	screen_refresh(s);
}

static void take_keys(struct screen *s)
{
	bool is_key;
	int key;

	while (!s->end && (key = term_key(&is_key)) != TERM_NONE) {
		if (key == TERM_GONE)
			s->end = true;
		else
			screen_key(s, key, is_key);
	}
}

static void take_signal(struct screen *s, int signal)
{
	switch (signal) {
	case SIGCHLD:
		break;
	case SIGWINCH:
		term_resize();
		screen_new_header(s);
		screen_refresh(s);
		break;
	case SIGTSTP:
		term_suspend();
		break;
	case SIGCONT:
		term_resume();
		break;
	default:
		s->end = true;
		break;
	}
}

/* Draws, unless nobody would see it: the files and the counting go on without.
 * Returns when to go on at the latest. */
static unsigned long long draw(struct screen *s)
{
	unsigned long long soon = view_now() + DRAW_AGAIN;

	if (signals_end_asked())
		return s->view.deadline;
	if (!term_takes_more())
		return soon < s->view.deadline ? soon : s->view.deadline;
	screen_draw(s);
	return s->view.deadline;
}

static void run(struct screen *s)
{
	long left = s->view.options->iterations;

	view_next_deadline(&s->view);
	screen_new_header(s);
	screen_refresh(s);
	while (!s->end) {
		int got = session_wait(&s->view.session, draw(s), term_fd());

		if (got > 0)
			take_signal(s, got);
		else if (got < 0)
			take_keys(s);
		if (s->end || !view_is_due(&s->view))
			continue;
		step(s);
		if (left && --left == 0)
			return;
	}
	session_hurry(&s->view.session);
	step(s); /* the last interval, which had just begun */
}

static int start(void)
{
	static const int more[] = {SIGTSTP, SIGCONT, SIGQUIT};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(more) / sizeof(more[0]); i++)
		err = signals_also(more[i]);
	if (!err)
		err = term_open();
	if (err)
		message("cannot draw on the terminal: %s", strerror(-err));
	return err ? STATUS_CANNOT : STATUS_OK;
}

int screen_run(const struct options *o)
{
	struct screen s = {0};
	int status, closed;

	command_lines_init(&s.command_lines);
	interval_init(&s.frozen_interval);
	interval_init(&s.folded);
	scribe_start(&s.scribe);
	status = view_open(&s.view, o);
	if (!status)
		status = start();
	if (!status) {
		message_hold();
		run(&s);
		term_close();
		message_release();
	}
	thaw(&s);
	interval_free(&s.folded);
	list_free(&s.list);
	layout_free(&s.layout);
	pager_free(&s.pager);
	header_free(&s.header);
	command_lines_free(&s.command_lines);
	closed = view_close(&s.view);
	scribe_stop(&s.scribe);
	return status ? status : closed;
}
