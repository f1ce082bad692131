// SPDX-License-Identifier: GPL-2.0-only
#include "header.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "health.h"
#include "text.h"

#define NS_PER_SECOND 1e9
#define INDENT 4 /* of what was wrapped */

struct header_sums header_sum(const struct interval *iv, table_cost_fn cost, void *arg)
{
	struct header_sums sums = {0};

	for (size_t i = 0; i < iv->nr; i++) {
		const struct record *r = &iv->records[i];
		double ns = cost(arg, r);

		sums.calls += r->calls.count;
		if (isnan(ns))
			sums.cpu_open = true;
		else if (iv->seconds > 0)
			sums.cpu += (double)r->calls.count * ns / NS_PER_SECOND / iv->seconds;
	}
	return sums;
}

/* The line that words are added to from now on. */
static void new_line(struct header *h)
{
	h->lines[h->nr++].nr = 0;
}

static void add_safe(struct header *h, const char *text)
{
	size_t len = strlen(text);
	char *safe = buffer_reserve(&h->text, TEXT_SAFE_SIZE(len) + 1);

	if (safe)
		h->text.len += text_safe(safe, TEXT_SAFE_SIZE(len), text, len, h->utf8) + 1;
}

/* How a word stands in its line. */
enum place {
	APART, /* a gap before it */
	TIGHT, /* a blank before it: one phrase with the word before */
	RIGHT, /* at the right margin */
};

/* Adds a word to the last line; what the format makes is escaped. */
__attribute__((format(printf, 5, 6))) static void word(struct header *h, enum place place,
						       unsigned int rank, enum header_mark mark,
						       const char *format, ...)
{
	struct header_line *line = &h->lines[h->nr - 1];
	struct header_word *w = &line->words[line->nr++];
	va_list args;
	char *text;

	*w = (struct header_word){
	    .text = h->text.len,
	    .mark = mark,
	    .rank = rank,
	    .right = place == RIGHT,
	    .tight = place == TIGHT,
	};
	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0) {
		add_safe(h, text);
		free(text);
	}
	va_end(args);
}

static void add_uptime(struct header *h, double seconds)
{
	uint64_t minutes = (uint64_t)(seconds / 60), hours = minutes / 60, days = hours / 24;

	if (days)
		word(h, APART, 4, HEADER_PLAIN, "up %" PRIu64 " d %" PRIu64 " h", days, hours % 24);
	else if (hours)
		word(h, APART, 4, HEADER_PLAIN, "up %" PRIu64 " h %" PRIu64 " min", hours,
		     minutes % 60);
	else
		word(h, APART, 4, HEADER_PLAIN, "up %" PRIu64 " min", minutes);
}

static void add_host(struct header *h, const struct header_input *in)
{
	bool tenths = in->delay * 10 == floor(in->delay * 10);

	new_line(h);
	word(h, APART, 0, HEADER_TITLE, "clocktop");
	word(h, APART, 2, HEADER_PLAIN, "%s", in->host->name);
	word(h, APART, 3, HEADER_PLAIN, "Linux %s", in->host->release);
	add_uptime(h, in->uptime);
	if (in->interval) {
		char time[sizeof("2026-11-30T19:30:00Z")];
		struct tm utc;

		if (gmtime_r(&in->interval->end.tv_sec, &utc) &&
		    strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%SZ", &utc))
			word(h, APART, 6, HEADER_FAINT, "%s", time);
	}
	if (!in->live)
		return;
	word(h, RIGHT, 5, HEADER_PLAIN, "every %.*f s", tenths ? 1 : 3, in->delay);
	if (in->paused)
		word(h, RIGHT, 1, HEADER_TITLE, "paused");
	else
		word(h, RIGHT, 1, HEADER_PLAIN, "%s", in->utf8 ? "▶" : ">");
}

/* The current clocksource, and what the vDSO does with it. */
static void add_clocksource(struct header *h, const struct header_input *in)
{
	const struct host *host = in->host;
	char names[HEALTH_NAMES];
	struct health health;

	new_line(h);
	word(h, APART, 0, HEADER_PLAIN, "clocksource");
	word(h, APART, 0, HEADER_TITLE, "%s",
	     host->clocksource[0] ? host->clocksource : "(not known)");
	if (in->served->gettime[CLOCK_MONOTONIC] == SERVED_UNKNOWN) {
		word(h, APART, 0, HEADER_PLAIN, "the vDSO could not be asked");
		return;
	}
	health_of_host(in->served, &health);
	if (health_is_good(&health)) {
		word(h, APART, 0, HEADER_GOOD, "%s", in->utf8 ? "✓" : "ok");
		word(h, TIGHT, 1, HEADER_GOOD, "read in user space");
		if (health.lacking.nr)
			word(h, APART, 2, HEADER_PLAIN, "(but %s)",
			     health_names(names, sizeof(names), &health.lacking));
		return;
	}
	word(h, APART, 0, HEADER_BAD, "%s", in->utf8 ? "✗" : "NOT OK");
	word(h, TIGHT, 1, HEADER_BAD, "not readable in user space:");
	word(h, TIGHT, 0, HEADER_BAD, "%s", cause_name(health.cause));
	if (health.cause == CAUSE_CLOCKSOURCE && host->available[0])
		word(h, APART, 2, HEADER_PLAIN, "(available: %s)", host->available);
	else
		word(h, APART, 2, HEADER_PLAIN, "(%s)",
		     health_names(names, sizeof(names), &health.unserved));
}

static void add_rates(struct header *h, const struct header_input *in)
{
	const struct interval *iv = in->interval;
	const struct header_sums *sums = &in->sums;
	char count[TEXT_NUMBER], bars[4 * SPARKLINE_VALUES];
	size_t width = in->width / 8;

	new_line(h);
	word(h, APART, 0, HEADER_PLAIN, "clock syscalls");
	if (!iv || iv->seconds <= 0) {
		word(h, APART, 0, HEADER_FAINT, "counting");
		return;
	}
	text_count(count, sizeof(count), (uint64_t)llround((double)sums->calls / iv->seconds));
	word(h, APART, 0, HEADER_TITLE, "%s/s", count);
	word(h, APART, 3, HEADER_PLAIN, "%s",
	     sparkline_draw(in->history, width < 8 ? 8 : width, in->utf8, bars, sizeof(bars)));
	if (interval_all_calls(iv)) {
		word(h, APART, 1, HEADER_PLAIN, "%.2f %%",
		     100.0 * (double)sums->calls / (double)interval_all_calls(iv));
		word(h, TIGHT, 4, HEADER_PLAIN, "of host");
	}
	word(h, APART, 2, HEADER_PLAIN, "burning %s%.2f of %d CPU%s", sums->cpu_open ? ">" : "~",
	     sums->cpu, in->host->cpus, in->host->cpus == 1 ? "" : "s");
}

static void add_nanoseconds(struct header *h, double ns)
{
	if (isnan(ns))
		word(h, APART, 0, HEADER_TITLE, "?");
	else
		word(h, APART, 0, HEADER_TITLE, "%.0f ns", ns);
}

static void add_cost(struct header *h, const struct header_input *in)
{
	new_line(h);
	word(h, APART, 1, HEADER_PLAIN, "a read costs");
	add_nanoseconds(h, in->cost->vdso_gettime[CLOCK_MONOTONIC]);
	word(h, TIGHT, 2, HEADER_PLAIN, "through the");
	word(h, TIGHT, 0, HEADER_PLAIN, "vDSO,");
	add_nanoseconds(h, in->cost->syscall_gettime[CLOCK_MONOTONIC]);
	word(h, TIGHT, 2, HEADER_PLAIN, "as a");
	word(h, TIGHT, 0, HEADER_PLAIN, "syscall");
	word(h, APART, 3, HEADER_FAINT, "(CLOCK_MONOTONIC)");
}

void header_make(struct header *h, const struct header_input *in)
{
	char count[TEXT_NUMBER];

	buffer_clear(&h->text);
	h->nr = 0;
	h->utf8 = in->utf8;
	add_host(h, in);
	add_clocksource(h, in);
	add_rates(h, in);
	add_cost(h, in);
	if (in->missed) {
		new_line(h);
		word(h, APART, 0, HEADER_BAD, "missed");
		word(h, APART, 0, HEADER_BAD, "%s", text_count(count, sizeof(count), in->missed));
		word(h, APART, 0, HEADER_BAD, "calls could not be counted");
	}
	if (in->watched_ended) {
		new_line(h);
		word(h, APART, 0, HEADER_TITLE, "The processes of -p have ended.");
		word(h, TIGHT, 1, HEADER_PLAIN, "What they started is counted on.");
	}
	if (in->unseen) {
		new_line(h);
		word(h, APART, 0, HEADER_PLAIN, "not looked at");
		word(h, APART, 0, HEADER_PLAIN, "%s", in->unseen);
	}
}

void header_free(struct header *h)
{
	buffer_free(&h->text);
}

const char *header_text(const struct header *h, const struct header_word *w)
{
	return w->text < h->text.len ? h->text.data + w->text : "";
}

/* The word that comes next by rank after *at; false at the end. */
static bool next_by_rank(const struct header_line *line, size_t *at)
{
	size_t best = line->nr;

	for (size_t i = 0; i < line->nr; i++) {
		const struct header_word *w = &line->words[i];
		bool after = *at == line->nr || w->rank > line->words[*at].rank ||
			     (w->rank == line->words[*at].rank && i > *at);

		if (after && (best == line->nr || w->rank < line->words[best].rank))
			best = i;
	}
	*at = best;
	return best < line->nr;
}

static size_t gap_before(const struct header_word *w)
{
	return w->tight ? 1 : HEADER_GAP;
}

/* Chooses words by rank. */
static void choose(const struct header *h, const struct header_line *line, size_t width,
		   size_t start[HEADER_WORDS])
{
	size_t used = 0, at = line->nr;

	for (size_t i = 0; i < line->nr; i++)
		start[i] = HEADER_OUT;
	while (next_by_rank(line, &at)) {
		const struct header_word *w = &line->words[at];
		size_t need = text_width(header_text(h, w)) + (used ? gap_before(w) : 0);

		if (w->rank && used + need > width)
			continue;
		used += need;
		start[at] = 0;
	}
}

void header_place(const struct header *h, const struct header_line *line, size_t width,
		  size_t start[HEADER_WORDS])
{
	size_t left = 0, right = width;

	choose(h, line, width, start);
	for (size_t i = line->nr; i-- > 0;) {
		const struct header_word *w = &line->words[i];
		size_t taken = text_width(header_text(h, w)) + (right < width ? HEADER_GAP : 0);

		if (start[i] == HEADER_OUT || !w->right)
			continue;
		right -= taken < right ? taken : right;
		start[i] = right;
	}
	for (size_t i = 0; i < line->nr; i++) {
		const struct header_word *w = &line->words[i];

		if (start[i] == HEADER_OUT || w->right)
			continue;
		start[i] = left ? left + gap_before(w) : 0;
		left = start[i] + text_width(header_text(h, w));
	}
}

void header_print(const struct header *h, size_t width, struct buffer *out)
{
	for (size_t l = 0; l < h->nr; l++) {
		const struct header_line *line = &h->lines[l];
		size_t column = 0;

		for (size_t i = 0; i < line->nr; i++) {
			const struct header_word *w = &line->words[i];
			size_t taken = text_width(header_text(h, w));
			size_t gap = column ? gap_before(w) : 0;

			if (column && column + gap + taken > width) {
				buffer_char(out, '\n');
				column = 0;
				gap = INDENT;
			}
			buffer_format(out, "%*s%s", (int)gap, "", header_text(h, w));
			column += gap + taken;
		}
		buffer_char(out, '\n');
	}
}
