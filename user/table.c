// SPDX-License-Identifier: GPL-2.0-only
/* Adds intervals up. */
#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "table_state.h"

#define NS_PER_SECOND 1e9

struct table *table_new(void)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	ledger_init(&t->sums);
	ledger_init(&t->groups);
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	ledger_free(&t->sums);
	ledger_free(&t->groups);
	table_order_free(&t->order);
	free(t->gone);
	free(t->rows);
	free(t->parts);
	free(t);
}

struct table *table_copy(const struct table *t)
{
	struct table *copy = table_new();

	if (!copy)
		return NULL;
	if (ledger_copy(&copy->sums, &t->sums)) {
		table_free(copy);
		return NULL;
	}
	copy->stamp = t->stamp;
	copy->seconds = t->seconds;
	copy->threads_new = t->threads_new;
	return copy;
}

static int mark_gone(struct table *t, uint32_t entry)
{
	uint32_t *gone;

	if (t->sums.entries[entry].exited)
		return 0;
	gone = array_room(t->gone, t->nr_gone, &t->gone_room, sizeof(*gone));
	if (!gone)
		return -ENOMEM;
	t->gone = gone;
	t->gone[t->nr_gone++] = entry;
	t->sums.entries[entry].exited = true;
	return 0;
}

/* Adds the sums of an exited process to what is left of its command and of
 * its container. */
static int bury(struct table *t, uint32_t entry)
{
	const struct ledger_key keys[] = {
	    table_name_key(LEDGER_COMMAND, &t->sums.entries[entry]),
	    table_name_key(LEDGER_CONTAINER, &t->sums.entries[entry]),
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		uint32_t to = ledger_entry(&t->sums, &keys[i], true);

		if (to == LEDGER_NONE || ledger_fold(&t->sums, to, &t->sums, entry, t->stamp))
			return -ENOMEM;
		table_join(&t->sums.entries[to], &t->sums.entries[entry], false);
	}
	return 0;
}

/* Threads whose process is gone: one that called execve() took over the id of
 * the first, and nobody says that its own is gone. */
static void drop_orphans(struct table *t)
{
	for (uint32_t i = 0; i < t->sums.nr_entries; i++) {
		struct ledger_key key = t->sums.entries[i].key;

		if (key.kind != LEDGER_THREAD)
			continue;
		key.kind = LEDGER_PROCESS;
		key.tid = 0;
		if (ledger_entry(&t->sums, &key, false) == LEDGER_NONE)
			ledger_remove(&t->sums, i);
	}
}

static int drop_gone(struct table *t)
{
	bool processes = false;
	int err = 0;

	for (size_t i = 0; i < t->nr_gone; i++) {
		if (t->sums.entries[t->gone[i]].key.kind == LEDGER_PROCESS) {
			if (bury(t, t->gone[i]))
				err = -ENOMEM;
			processes = true;
		}
		ledger_remove(&t->sums, t->gone[i]);
	}
	t->nr_gone = 0;
	if (t->threads && processes)
		drop_orphans(t);
	return err;
}

/* Adds one record to the entry of that key.  cpu is NAN when not known.
 * Returns the part that it was added to; NULL without memory. */
static struct ledger_part *add_to(struct table *t, const struct ledger_key *key,
				  const struct record *r, const char *comm, double cpu)
{
	uint32_t entry = ledger_entry(&t->sums, key, true);
	struct ledger_entry *e;
	struct ledger_part *p;
	uint32_t part;

	if (entry == LEDGER_NONE)
		return NULL;
	part = ledger_part(&t->sums, entry, ledger_call_key(r->call, r->abi, r->via, r->clock));
	if (part == LEDGER_NONE)
		return NULL;
	e = &t->sums.entries[entry];
	e->proc = key->proc;
	e->processes = 1;
	e->uid = r->uid;
	memcpy(e->comm, comm, sizeof(e->comm) - 1);
	/* A process that was not looked at (again) yet has not left its container. */
	if (r->container[0])
		memcpy(e->container, r->container, sizeof(e->container));
	p = &t->sums.parts[part];
	ledger_stamp(p, t->stamp);
	if (r->calls.count >= p->sums.count) { /* the larger share speaks for the part */
		p->cause = r->cause;
		p->where = r->where;
		p->object = r->object;
	}
	p->sums.count += r->calls.count;
	p->sums.errors += r->calls.errors;
	p->sums.total += r->calls.count;
	p->sums.total_errors += r->calls.errors;
	if (isnan(cpu))
		p->sums.cpu_open = true;
	else
		p->sums.cpu += cpu;
	return p;
}

static int add_record(struct table *t, const struct record *r, double cpu)
{
	struct ledger_key key = {.kind = LEDGER_PROCESS, .proc = r->proc};

	if (!add_to(t, &key, r, r->process, cpu))
		return -ENOMEM;
	if (!r->tid)
		return 0;
	key.kind = LEDGER_THREAD;
	key.tid = r->tid;
	t->threads = true;
	return add_to(t, &key, r, r->comm, cpu) ? 0 : -ENOMEM;
}

/* The part of a kind of call that an entry has, or NULL. */
static struct ledger_part *find_part(struct table *t, uint32_t entry, uint64_t call_key)
{
	for (uint32_t i = t->sums.entries[entry].first; i != LEDGER_NONE; i = t->sums.parts[i].next)
		if (t->sums.parts[i].key == call_key)
			return &t->sums.parts[i];
	return NULL;
}

/* The part of the same kind of its process knows what totals do not. */
static void take_from_process(struct table *t, struct ledger_part *p, const struct record *r)
{
	struct ledger_key key = {.kind = LEDGER_PROCESS, .proc = r->proc};
	uint32_t entry = ledger_entry(&t->sums, &key, false);
	const struct ledger_part *from;

	if (entry == LEDGER_NONE)
		return;
	from = find_part(t, entry, p->key);
	if (!from)
		return;
	p->cause = from->cause;
	p->where = from->where;
	p->object = from->object;
}

static void settle(struct table *t, const struct ledger_key *key, const struct record *r)
{
	uint32_t entry = ledger_entry(&t->sums, key, false);
	struct ledger_part *p;

	if (entry == LEDGER_NONE)
		return;
	if (r->container[0])
		memcpy(t->sums.entries[entry].container, r->container, sizeof(r->container));
	p = find_part(t, entry, ledger_call_key(r->call, r->abi, r->via, r->clock));
	/* Other threads' calls may speak for the part by now. */
	if (p && p->cause == CAUSE_UNKNOWN && p->where == r->where) {
		p->cause = r->cause;
		p->object = r->object;
	}
}

void table_settle(struct table *t, const struct record *records, size_t nr)
{
	t->nr_rows = 0;
	for (size_t i = 0; i < nr; i++) {
		struct ledger_key key = {.kind = LEDGER_PROCESS, .proc = records[i].proc};

		settle(t, &key, &records[i]);
		if (!records[i].tid)
			continue;
		key.kind = LEDGER_THREAD;
		key.tid = records[i].tid;
		settle(t, &key, &records[i]);
	}
}

int table_add_threads(struct table *t, const struct interval *totals, const struct table_filter *f)
{
	t->nr_rows = 0;
	for (size_t i = 0; i < totals->nr; i++) {
		const struct record *r = &totals->records[i];
		struct ledger_key key = {.kind = LEDGER_THREAD, .proc = r->proc, .tid = r->tid};
		struct ledger_part *p;

		if (!table_filter_record(f, r))
			continue;
		p = add_to(t, &key, r, r->comm, 0);
		if (!p)
			return -ENOMEM;
		t->threads = t->threads_new = true;
		p->sums.count = 0;
		p->sums.errors = 0;
		take_from_process(t, p, r);
	}
	return 0;
}

void table_drop_threads(struct table *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->nr_gone; i++)
		if (t->sums.entries[t->gone[i]].key.kind == LEDGER_PROCESS)
			t->gone[kept++] = t->gone[i];
	t->nr_gone = kept;
	for (uint32_t i = 0; i < t->sums.nr_entries; i++)
		if (t->sums.entries[i].key.kind == LEDGER_THREAD)
			ledger_remove(&t->sums, i);
	t->threads = false;
	t->nr_rows = 0;
}

int table_add(struct table *t, const struct interval *iv, const struct table_filter *f,
	      table_cost_fn cost, void *arg)
{
	int err = drop_gone(t);

	t->nr_rows = 0;
	t->stamp++;
	t->seconds = iv->seconds;
	t->threads_new = false;
	for (size_t i = 0; i < iv->nr; i++) {
		const struct record *r = &iv->records[i];
		double cpu = 0;

		if (!table_filter_record(f, r))
			continue;
		if (r->calls.count && iv->seconds > 0)
			cpu = (double)r->calls.count / iv->seconds * cost(arg, r) / NS_PER_SECOND;
		if (add_record(t, r, cpu))
			err = -ENOMEM;
	}
	for (size_t i = 0; i < iv->nr_gone; i++) {
		const struct gone *g = &iv->gone[i];
		struct ledger_key key = {
		    .kind = g->tid ? LEDGER_THREAD : LEDGER_PROCESS,
		    .tid = g->tid,
		    .proc = g->proc,
		};
		uint32_t entry = ledger_entry(&t->sums, &key, false);

		if (entry != LEDGER_NONE && mark_gone(t, entry))
			err = -ENOMEM;
	}
	return err;
}
