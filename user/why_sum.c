// SPDX-License-Identifier: GPL-2.0-only
#include "why_sum.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "interval.h"

/* What a record is of; no padding. */
struct sum_key {
	uint64_t start_ns;
	uint32_t pid, tid;
	uint32_t call, abi, via;
	int32_t clock;
};

void why_sum_init(struct why_sum *s)
{
	interval_init(&s->interval);
	map_init(&s->index, sizeof(struct sum_key), sizeof(size_t));
}

void why_sum_free(struct why_sum *s)
{
	interval_free(&s->interval);
	map_free(&s->index);
}

static int add_record(struct why_sum *s, const struct record *r)
{
	const struct sum_key key = {
	    .start_ns = r->proc.start_ns,
	    .pid = r->proc.pid,
	    .tid = r->tid,
	    .call = r->call,
	    .abi = r->abi,
	    .via = r->via,
	    .clock = r->clock,
	};
	struct interval *iv = &s->interval;
	struct record *records, *sum;
	size_t *at;
	bool fresh;

	records = array_room(iv->records, iv->nr, &iv->room, sizeof(*records));
	if (!records)
		return -ENOMEM;
	iv->records = records;
	at = map_put(&s->index, &key, &fresh);
	if (!at)
		return -ENOMEM;
	if (fresh) {
		*at = iv->nr;
		records[iv->nr++] = *r;
		return 0;
	}
	sum = &records[*at];
	tally_add(&sum->calls, &r->calls);
	if (r->largest > sum->largest) {
		sum->largest = r->largest;
		sum->where = r->where;
		sum->object = r->object;
	}
	sum->uid = r->uid;
	sum->exited = r->exited;
	memcpy(sum->comm, r->comm, sizeof(sum->comm));
	return 0;
}

int why_sum_add(struct why_sum *s, const struct interval *iv)
{
	for (size_t i = 0; i < iv->nr; i++) {
		int err = add_record(s, &iv->records[i]);

		if (err)
			return err;
	}
	s->interval.end = iv->end;
	s->interval.seconds += iv->seconds;
	s->interval.host_calls += iv->host_calls;
	s->interval.missed += iv->missed;
	return 0;
}
