// SPDX-License-Identifier: GPL-2.0-only
#include "fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"

/* Without padding, as a map's key must be. */
struct fold_key {
	struct proc_key proc;
	uint32_t clock;
	uint16_t call;
	uint8_t abi, via;
};

static struct fold_key key_of(const struct record *r)
{
	return (struct fold_key){
	    .proc = proc_key(r->proc),
	    .clock = (uint32_t)r->clock,
	    .call = (uint16_t)r->call,
	    .abi = (uint8_t)r->abi,
	    .via = (uint8_t)r->via,
	};
}

static void fold_into(struct record *to, const struct record *from)
{
	if (from->largest > to->largest) {
		to->cause = from->cause;
		to->where = from->where;
		to->object = from->object;
		to->largest = from->largest;
	}
	tally_add(&to->calls, &from->calls);
}

int interval_fold(const struct interval *from, struct interval *to)
{
	struct map index; /* fold_key -> size_t */
	int err = 0;

	if (to->room < from->nr) {
		struct record *records = reallocarray(to->records, from->nr, sizeof(*records));

		if (!records)
			return -ENOMEM;
		to->records = records;
		to->room = from->nr;
	}
	to->end = from->end;
	to->seconds = from->seconds;
	to->host_calls = from->host_calls;
	to->page_calls = from->page_calls;
	to->missed = from->missed;
	to->nr = 0;
	map_init(&index, sizeof(struct fold_key), sizeof(size_t));
	for (size_t i = 0; i < from->nr; i++) {
		const struct record *r = &from->records[i];
		struct fold_key key = key_of(r);
		bool fresh;
		size_t *at = map_put(&index, &key, &fresh);

		if (!at) {
			err = -ENOMEM;
			break;
		}
		if (!fresh) {
			fold_into(&to->records[*at], r);
			continue;
		}
		*at = to->nr++;
		to->records[*at] = *r;
		to->records[*at].tid = 0;
		to->records[*at].exited = false;
		memcpy(to->records[*at].comm, r->process, sizeof(r->process));
	}
	map_free(&index);
	return err;
}
