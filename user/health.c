// SPDX-License-Identifier: GPL-2.0-only
#include "health.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi.h"

static void put(struct health_calls *calls, enum call call, int32_t clock)
{
	calls->call[calls->nr++] = (struct health_call){call, clock};
}

/* Sorts one call into the list that it belongs to. */
static void judge(const struct served *s, struct health *h, enum call call, int32_t clock)
{
	/* All clocks of a kernel read the same counter: where one of them is
	 * served, the clocksource is not what keeps another one from it. */
	bool counter_served = s->gettime[CLOCK_REALTIME] == SERVED_YES;

	if (served_state(s, call, clock) == SERVED_YES) {
		put(&h->served, call, clock);
	} else if (!s->has_vdso) {
		put(&h->unserved, call, clock);
		h->cause = CAUSE_NO_VDSO;
	} else if (clock_reads_counter(call, clock) && !counter_served) {
		put(&h->unserved, call, clock);
		h->cause = CAUSE_CLOCKSOURCE;
	} else {
		put(&h->lacking, call, clock);
	}
}

void health_of_host(const struct served *s, struct health *h)
{
	static const enum call without_clock[] = {CALL_GETTIMEOFDAY, CALL_TIME};

	memset(h, 0, sizeof(*h));
	h->cause = CAUSE_UNKNOWN;
	for (int32_t i = 0; i < NR_CLOCKS; i++) {
		if (s->exists[i] && clock_can_be_served(CALL_CLOCK_GETTIME, i))
			judge(s, h, CALL_CLOCK_GETTIME, i);
	}
	for (size_t i = 0; i < 2; i++) {
		if (abi_number(abi_host(), without_clock[i]) >= 0)
			judge(s, h, without_clock[i], 0);
	}
}

char *health_names(char *buf, size_t size, const struct health_calls *calls)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < calls->nr && used < size; i++) {
		const struct health_call *c = &calls->call[i];
		char clock[CLOCK_NAME];
		const char *name = call_name(c->call);
		if (call_has_clock(c->call))
			name = clock_short_name(clock, sizeof(clock), c->call, c->clock);
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", name);
	}
	return buf;
}

char *health_clocksources(char *buf, size_t size, const struct host *h, enum host_able able)
{
	char name[64];
	size_t used = 0;

	buf[0] = '\0';
	for (const char *p = h->available; *p;) {
		size_t len = strcspn(p, " ");
		if (len > 0 && len < sizeof(name)) {
			memcpy(name, p, len);
			name[len] = '\0';
			if (strcmp(name, h->clocksource) != 0 &&
			    host_clocksource_able(name) == able && used + len + 3 <= size)
				used += (size_t)snprintf(buf + used, size - used, "%s%s",
							 used ? ", " : "", name);
		}
		p += len + strspn(p + len, " ");
	}
	return buf;
}

static int by_process(const void *a, const void *b)
{
	const struct health_process *x = a, *y = b;

	if (x->proc.pid != y->proc.pid)
		return x->proc.pid < y->proc.pid ? -1 : 1;
	if (x->proc.start_ns != y->proc.start_ns)
		return x->proc.start_ns < y->proc.start_ns ? -1 : 1;
	return 0;
}

static int by_kind(const void *a, const void *b)
{
	const struct health_process *x = a, *y = b;
	int order = by_process(a, b);

	if (order)
		return order;
	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	if (x->clock != y->clock)
		return x->clock < y->clock ? -1 : 1;
	return (x->cause > y->cause) - (x->cause < y->cause);
}

static int by_count(const void *a, const void *b)
{
	const struct health_process *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return by_process(a, b);
}

/* Adds up neighbours of one kind.  A process that changed its name has one of
 * its names. */
static void merge(struct health_sum *sum)
{
	size_t kept = 0;

	if (sum->nr == 0)
		return;
	qsort(sum->parts, sum->nr, sizeof(*sum->parts), by_kind);
	for (size_t i = 1; i < sum->nr; i++) {
		if (by_kind(&sum->parts[kept], &sum->parts[i]) == 0)
			sum->parts[kept].count += sum->parts[i].count;
		else
			sum->parts[++kept] = sum->parts[i];
	}
	sum->nr = kept + 1;
}

int health_add(struct health_sum *sum, const struct interval *iv)
{
	if (sum->nr + iv->nr > sum->room) {
		size_t room = (sum->nr + iv->nr) * 2;
		struct health_process *parts = realloc(sum->parts, room * sizeof(*parts));
		if (!parts)
			return -ENOMEM;
		sum->parts = parts;
		sum->room = room;
	}
	for (size_t i = 0; i < iv->nr; i++) {
		const struct record *r = &iv->records[i];
		struct health_process *p = &sum->parts[sum->nr++];
		*p = (struct health_process){
		    .proc = r->proc,
		    .uid = r->uid,
		    .count = r->calls.count,
		    .call = r->call,
		    .clock = r->clock,
		    .cause = r->cause,
		};
		memcpy(p->comm, r->comm, sizeof(p->comm));
	}
	merge(sum);
	sum->seconds += iv->seconds;
	return 0;
}

int health_over(struct health_sum *sum, double max_rate, struct health_process **over, size_t *nr,
		struct health_process *busiest)
{
	size_t processes = 0, first = 0;

	*over = NULL;
	*nr = 0;
	*busiest = (struct health_process){0};
	if (sum->nr == 0)
		return 0;
	struct health_process *all = malloc(sum->nr * sizeof(*all));
	if (!all)
		return -ENOMEM;
	/* The parts of a process are neighbours: each run becomes one process,
	 * named after its largest part. */
	while (first < sum->nr) {
		const struct health_process *largest = &sum->parts[first];
		uint64_t count = 0;
		size_t i = first;
		for (; i < sum->nr && by_process(&sum->parts[first], &sum->parts[i]) == 0; i++) {
			const struct health_process *p = &sum->parts[i];
			count += p->count;
			if (p->count > largest->count)
				largest = p;
		}
		all[processes] = *largest;
		all[processes++].count = count;
		first = i;
	}
	qsort(all, processes, sizeof(*all), by_count);
	*busiest = all[0];
	while (*nr < processes && (double)all[*nr].count > max_rate * sum->seconds)
		++*nr;
	if (*nr)
		*over = all;
	else
		free(all);
	return 0;
}

void health_sum_free(struct health_sum *sum)
{
	free(sum->parts);
	*sum = (struct health_sum){0};
}
