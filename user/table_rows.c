// SPDX-License-Identifier: GPL-2.0-only
/* Makes rows of the sums.  Their order is in table_order.c. */
#include "table_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "users.h"

struct ledger_key table_name_key(enum ledger_kind kind, const struct ledger_entry *e)
{
	const char *name = kind == LEDGER_COMMAND ? e->comm : e->container;
	size_t size = kind == LEDGER_COMMAND ? sizeof(e->comm) : sizeof(e->container);
	struct ledger_key key = {.kind = kind};

	memcpy(key.name, name, strnlen(name, size));
	return key;
}

void table_join(struct ledger_entry *group, const struct ledger_entry *e, bool counted)
{
	if (group->stamp && group->uid != e->uid)
		group->mixed_users = true;
	if (counted && !group->processes)
		group->proc = e->proc;
	group->mixed_users |= e->mixed_users;
	group->uid = e->uid;
	group->stamp = 1;
	group->processes += counted;
}

static uint64_t calls_of(const struct ledger *l, uint32_t entry, uint32_t stamp)
{
	uint64_t calls = 0;

	for (uint32_t i = l->entries[entry].first; i != LEDGER_NONE; i = l->parts[i].next)
		if (l->parts[i].stamp == stamp)
			calls += l->parts[i].sums.count;
	return calls;
}

/* Adds processes, and what is left of the exited, up in t->groups. */
static int make_groups(struct table *t, enum ledger_kind kind)
{
	ledger_clear(&t->groups);
	for (uint32_t i = 0; i < t->sums.nr_entries; i++) {
		const struct ledger_entry *e = &t->sums.entries[i];
		struct ledger_key key = e->key;
		struct ledger_entry *group;
		uint64_t calls;
		uint32_t to;

		if (key.kind == LEDGER_PROCESS)
			key = table_name_key(kind, e);
		else if (key.kind != kind)
			continue;
		to = ledger_entry(&t->groups, &key, true);
		if (to == LEDGER_NONE || ledger_fold(&t->groups, to, &t->sums, i, t->stamp))
			return -ENOMEM;
		group = &t->groups.entries[to];
		table_join(group, e, e->key.kind == LEDGER_PROCESS);
		memcpy(kind == LEDGER_COMMAND ? group->comm : group->container, group->key.name,
		       kind == LEDGER_COMMAND ? sizeof(group->comm) : sizeof(group->container));
		calls = calls_of(&t->sums, i, t->stamp);
		if (e->key.kind == LEDGER_PROCESS && calls > group->most) {
			group->most = calls;
			group->proc = e->proc;
		}
	}
	return 0;
}

static int part_order(const void *a, const void *b)
{
	const struct table_part *p = a, *q = b;

	if (p->count != q->count)
		return p->count < q->count ? 1 : -1;
	if (p->total != q->total)
		return p->total < q->total ? 1 : -1;
	if (p->call != q->call)
		return p->call < q->call ? -1 : 1;
	if (p->clock != q->clock)
		return p->clock < q->clock ? -1 : 1;
	if (p->via != q->via)
		return p->via < q->via ? -1 : 1;
	return (p->abi > q->abi) - (p->abi < q->abi);
}

static void fill_part(struct table_part *to, const struct ledger_part *from, const struct table *t)
{
	struct ledger_part p = *from;

	ledger_stamp(&p, t->stamp);
	*to = (struct table_part){
	    .others = p.key == LEDGER_OTHERS,
	    .call = key_call(p.key),
	    .abi = key_abi(p.key),
	    .via = key_via(p.key),
	    .clock = key_clock(p.key),
	    .cause = p.cause,
	    .count = p.sums.count,
	    .errors = p.sums.errors,
	    .total = p.sums.total,
	    .total_errors = p.sums.total_errors,
	    .rate = t->seconds > 0 ? (double)p.sums.count / t->seconds : 0,
	    .cpu = p.sums.cpu,
	    .cpu_open = p.sums.cpu_open,
	    .where = p.where,
	    .object = p.object,
	};
}

/* Fills a row and its parts, for which there is room. */
static void fill_row(struct table *t, struct table_row *row, struct table_part *parts,
		     const struct ledger *l, const struct ledger_entry *e, struct users *users)
{
	size_t n = 0;

	*row = (struct table_row){
	    .key = e->key,
	    .proc = e->proc,
	    .tid = e->key.tid,
	    .uid = e->uid,
	    .user = e->mixed_users ? "(several)" : users_name(users, e->uid),
	    .processes = e->processes,
	    .comm = e->comm,
	    .container = e->container,
	    .exited = e->exited,
	    .is_new = e->key.kind == LEDGER_THREAD && t->threads_new,
	    .parts = parts,
	    .nr_parts = e->nr_parts,
	};
	for (uint32_t i = e->first; i != LEDGER_NONE; i = l->parts[i].next) {
		struct table_part *p = &parts[n++];

		fill_part(p, &l->parts[i], t);
		row->count += p->count;
		row->total += p->total;
		row->errors += p->total_errors;
		row->cpu += p->cpu;
		row->cpu_open |= p->cpu_open;
	}
	row->rate = t->seconds > 0 ? (double)row->count / t->seconds : 0;
	if (n > 1)
		qsort(parts, n, sizeof(*parts), part_order);
}

static bool part_has(const struct table_part *p, const char *text)
{
	char clock[CLOCK_NAME];

	return strcasestr(cause_name(p->cause), text) || strcasestr(call_name(p->call), text) ||
	       strcasestr(clock_name(clock, sizeof(clock), p->call, p->clock), text);
}

static bool row_has(const struct table_row *row, const char *text)
{
	if (strcasestr(row->comm, text) || strcasestr(row->user, text) ||
	    strcasestr(row->container, text))
		return true;
	for (size_t i = 0; i < row->nr_parts; i++)
		if (part_has(&row->parts[i], text))
			return true;
	return false;
}

/* Room for the rows and parts that a ledger can yield at most. */
static int make_room(struct table *t, const struct ledger *l)
{
	if (l->live_entries > t->row_room) {
		struct table_row *rows = reallocarray(t->rows, l->live_entries, sizeof(*rows));

		if (!rows)
			return -ENOMEM;
		t->rows = rows;
		t->row_room = l->live_entries;
	}
	if (l->live_parts > t->part_room) {
		struct table_part *parts = reallocarray(t->parts, l->live_parts, sizeof(*parts));

		if (!parts)
			return -ENOMEM;
		t->parts = parts;
		t->part_room = l->live_parts;
	}
	return 0;
}

ssize_t table_rows(struct table *t, const struct table_view *view, struct users *users)
{
	enum ledger_kind kind = view->threads ? LEDGER_THREAD : LEDGER_PROCESS;
	const struct ledger *l = &t->sums;
	size_t nr_parts = 0;

	t->nr_rows = 0;
	if (view->group != GROUP_PROCESS) {
		kind = view->group == GROUP_COMMAND ? LEDGER_COMMAND : LEDGER_CONTAINER;
		if (make_groups(t, kind))
			return -ENOMEM;
		l = &t->groups;
	}
	if (make_room(t, l))
		return -ENOMEM;
	for (uint32_t i = 0; i < l->nr_entries; i++) {
		struct table_row *row = &t->rows[t->nr_rows];

		if (l->entries[i].key.kind != kind || !l->entries[i].nr_parts)
			continue;
		fill_row(t, row, &t->parts[nr_parts], l, &l->entries[i], users);
		if ((!row->is_new && row->rate < view->min_rate) ||
		    (view->text && !row_has(row, view->text)))
			continue;
		nr_parts += row->nr_parts;
		t->nr_rows++;
	}
	if (table_order_set(&t->order, t->rows, t->nr_rows, view->sort, view->reverse))
		return -ENOMEM;
	return (ssize_t)t->nr_rows;
}

const struct table_row *table_row(struct table *t, size_t i)
{
	return table_order_at(&t->order, i);
}

ssize_t table_find(const struct table *t, const struct ledger_key *key)
{
	for (size_t i = 0; i < t->nr_rows; i++)
		if (ledger_same_key(&t->rows[i].key, key))
			return (ssize_t)table_order_rank(&t->order, &t->rows[i]);
	return -1;
}
