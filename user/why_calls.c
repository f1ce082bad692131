// SPDX-License-Identifier: GPL-2.0-only
#include "why_calls.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a read costs where the vDSO serves it, in ns: it remains when a syscall
 * goes away.  20 to 30 on the processors of the last ten years. */
#define SERVED_NS 25.0

static double seconds_of(const struct why_context *c)
{
	return c->interval->seconds > 0 ? c->interval->seconds : NAN;
}

double why_cpu(const struct why_context *c, const struct record *r)
{
	return (double)r->calls.count / seconds_of(c) * c->cost_of(c->cost_arg, r) / 1e9;
}

static double saved_cpu(const struct why_context *c, const struct record *r)
{
	double saved = why_cpu(c, r) - (double)r->calls.count / seconds_of(c) * SERVED_NS / 1e9;

	return saved < 0 ? 0 : saved;
}

static void add_gain(struct advice_gain *gain, const struct why_context *c, const struct record *r)
{
	gain->calls += (uint64_t)((double)r->calls.count / seconds_of(c) + 0.5);
	gain->cpu += saved_cpu(c, r);
}

struct advice_gain why_gain(const struct why_context *c, const struct health *h)
{
	struct advice_gain gain = {0};

	if (!advice_host_helps(c->host, h))
		return gain;
	for (size_t i = 0; i < c->interval->nr; i++) {
		const struct record *r = &c->interval->records[i];
		struct finding f;

		if (h->cause == CAUSE_UNKNOWN || r->cause != h->cause)
			continue;
		evidences_of(c->evidences, r, &f);
		if (advice_is_of_host(&f, r, h))
			add_gain(&gain, c, r);
	}
	return gain;
}

static bool same_call(const struct record *a, const struct record *b)
{
	return a->call == b->call && a->abi == b->abi && a->clock == b->clock && a->via == b->via;
}

/* Adds a record to the call it is of. */
static int add(struct why_calls *w, const struct record *r)
{
	struct why_call *calls;

	for (size_t i = 0; i < w->nr; i++) {
		struct record *sum = &w->calls[i].r;

		if (!same_call(sum, r))
			continue;
		tally_add(&sum->calls, &r->calls);
		if (r->largest > sum->largest) {
			sum->largest = r->largest;
			sum->where = r->where;
			sum->object = r->object;
		}
		return 0;
	}
	calls = realloc(w->calls, (w->nr + 1) * sizeof(*calls));
	if (!calls)
		return -ENOMEM;
	w->calls = calls;
	memset(&calls[w->nr], 0, sizeof(*calls));
	calls[w->nr].r = *r;
	calls[w->nr].r.tid = 0;
	w->nr++;
	return 0;
}

static int busiest_first(const void *a, const void *b)
{
	const struct why_call *x = a, *y = b;

	if (x->r.calls.count != y->r.calls.count)
		return x->r.calls.count > y->r.calls.count ? -1 : 1;
	if (x->r.call != y->r.call)
		return x->r.call < y->r.call ? -1 : 1;
	if (x->r.clock != y->r.clock)
		return x->r.clock < y->r.clock ? -1 : 1;
	return x->r.via < y->r.via ? -1 : x->r.via > y->r.via;
}

static bool same_advice(const struct why_call *a, const struct why_call *b)
{
	return a->f.verdict.cause == b->f.verdict.cause && a->of_host == b->of_host &&
	       advice_equal(&a->advice, &b->advice);
}

/* Moves those of one advice behind the busiest of them. */
static void group(struct why_calls *w)
{
	for (size_t i = 0; i + 1 < w->nr; i++) {
		size_t next = i + 1;

		while (next < w->nr && !same_advice(&w->calls[i], &w->calls[next]))
			next++;
		if (next < w->nr && next != i + 1) {
			struct why_call found = w->calls[next];

			memmove(&w->calls[i + 2], &w->calls[i + 1], (next - i - 1) * sizeof(found));
			w->calls[i + 1] = found;
		}
	}
}

int why_calls_gather(struct why_calls *w, const struct why_context *c, const struct health *h,
		     struct proc_id proc)
{
	memset(w, 0, sizeof(*w));
	for (size_t i = 0; i < c->interval->nr; i++) {
		const struct record *r = &c->interval->records[i];

		if (proc_id_equal(r->proc, proc) && add(w, r))
			return -ENOMEM;
	}
	if (w->nr)
		qsort(w->calls, w->nr, sizeof(*w->calls), busiest_first);
	for (size_t i = 0; i < w->nr; i++) {
		struct why_call *call = &w->calls[i];

		evidences_of(c->evidences, &call->r, &call->f);
		call->r.cause = call->f.verdict.cause;
		call->rate = (double)call->r.calls.count / seconds_of(c);
		call->cpu = why_cpu(c, &call->r);
		w->rate += call->rate;
		if (isnan(call->cpu))
			w->cpu_open = true;
		else
			w->cpu += call->cpu;
		call->of_host = advice_is_of_host(&call->f, &call->r, h);
		if (call->of_host && advice_host_helps(c->host, h))
			add_gain(&w->gain, c, &call->r);
		if (!call->of_host)
			advice_call(&call->advice, &call->f, &call->r, c->host, c->utf8);
		if (call->advice.cause.failed || call->advice.evidence.failed ||
		    call->advice.remedy.failed)
			return -ENOMEM;
	}
	group(w);
	return 0;
}

void why_calls_free(struct why_calls *w)
{
	for (size_t i = 0; i < w->nr; i++)
		advice_free(&w->calls[i].advice);
	free(w->calls);
	memset(w, 0, sizeof(*w));
}
