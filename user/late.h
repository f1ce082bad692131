/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records whose process could not be looked at within their own interval: what
 * was decided of them then can be decided better later, also when the process
 * makes no further call.  It decides nothing itself.
 */
#ifndef CLOCKTOP_LATE_H
#define CLOCKTOP_LATE_H

#include <stdbool.h>
#include <stddef.h>

#include "map.h"
#include "record.h"
#include "served.h"

/* A record, with what this host served when its calls were made. */
struct late_record {
	struct record record;
	enum served_state served;
	bool unserved_in_interval;
};

struct late {
	struct map waiting; /* by what a record is of: struct late_record */
	struct record *settled;
	size_t nr_settled, room;
};

void late_init(struct late *l);
void late_free(struct late *l);

/* Keeps a record, in place of an earlier one of the same calls.  What is too much
 * to keep, or without memory, is left as it is. */
void late_add(struct late *l, const struct late_record *r);

/* Forgets what is kept of a record's calls: there are newer ones. */
void late_remove(struct late *l, const struct record *r);

/* What to do with a record that is kept. */
enum late_fate {
	LATE_WAIT,
	LATE_DROP,
	LATE_SETTLE, /* its record is as good as it gets, and goes to l->settled */
};

/* Has the fate of each record that is kept decided, which may change it.  Starts
 * l->settled anew. */
void late_pass(struct late *l, enum late_fate (*decide)(struct late_record *r, void *arg),
	       void *arg);

#endif
