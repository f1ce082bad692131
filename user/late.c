// SPDX-License-Identifier: GPL-2.0-only
#include "late.h"

#include <stdlib.h>

#define MOST 8192 /* records that are kept */

/* What a record is of; no padding. */
struct late_key {
	struct proc_key proc;
	uint32_t tid, clock;
	uint16_t call, abi, via, zero;
};

static struct late_key key_of(const struct record *r)
{
	return (struct late_key){
	    .proc = proc_key(r->proc),
	    .tid = r->tid,
	    .clock = (uint32_t)r->clock,
	    .call = (uint16_t)r->call,
	    .abi = (uint16_t)r->abi,
	    .via = (uint16_t)r->via,
	};
}

void late_init(struct late *l)
{
	*l = (struct late){0};
	map_init(&l->waiting, sizeof(struct late_key), sizeof(struct late_record));
}

void late_free(struct late *l)
{
	map_free(&l->waiting);
	free(l->settled);
}

void late_add(struct late *l, const struct late_record *r)
{
	struct late_key key = key_of(&r->record);
	struct late_record *to = NULL;

	if (l->waiting.used < MOST)
		to = map_put(&l->waiting, &key, NULL);
	if (to)
		*to = *r;
}

void late_remove(struct late *l, const struct record *r)
{
	struct late_key key = key_of(r);

	if (l->waiting.used)
		map_remove(&l->waiting, &key);
}

/* Room for all that are kept. */
static bool make_room(struct late *l)
{
	struct record *settled;

	if (l->room >= l->waiting.used)
		return true;
	settled = reallocarray(l->settled, l->waiting.used, sizeof(*settled));
	if (!settled)
		return false;
	l->settled = settled;
	l->room = l->waiting.used;
	return true;
}

void late_pass(struct late *l, enum late_fate (*decide)(struct late_record *r, void *arg),
	       void *arg)
{
	struct late_record *r;
	size_t at = 0, nr = 0;

	l->nr_settled = 0;
	if (!make_room(l))
		return; /* another time */
	/* Nothing can be removed on the way: those that leave are gathered first, the
	 * settled in front, the dropped behind. */
	while ((r = map_each(&l->waiting, &at, NULL))) {
		enum late_fate fate = decide(r, arg);

		if (fate == LATE_WAIT)
			continue;
		l->settled[nr] = r->record;
		if (fate == LATE_SETTLE) {
			l->settled[nr] = l->settled[l->nr_settled];
			l->settled[l->nr_settled++] = r->record;
		}
		nr++;
	}
	for (size_t i = 0; i < nr; i++)
		late_remove(l, &l->settled[i]);
}
