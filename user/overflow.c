// SPDX-License-Identifier: GPL-2.0-only
#include "overflow.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>

/* How many entries one call of a batch operation moves, to begin with. */
#define BATCH 512

static int add_items(struct overflow_list *list, const struct overflow_key *keys,
		     const struct overflow_value *values, uint32_t n)
{
	if (list->nr + n > list->room) {
		size_t room = 2 * (list->nr + n);
		struct sample_overflow *p = realloc(list->items, room * sizeof(*p));

		if (!p)
			return -ENOMEM;
		list->items = p;
		list->room = room;
	}
	for (uint32_t i = 0; i < n; i++)
		list->items[list->nr++] = (struct sample_overflow){keys[i], values[i], false};
	return 0;
}

int overflow_read(int fd, struct overflow_list *list)
{
	struct overflow_value *values = NULL;
	struct overflow_key *keys = NULL;
	uint32_t size = BATCH, position, n;
	void *from = NULL, *p;
	int err = 0;

	list->nr = 0;
	while (err != -ENOENT) {
		p = realloc(keys, size * sizeof(*keys));
		keys = p ? p : keys;
		if (!p || !(p = realloc(values, size * sizeof(*values)))) {
			err = -ENOMEM;
			break;
		}
		values = p;
		n = size;
		err = bpf_map_lookup_batch(fd, from, &position, keys, values, &n, NULL);
		if (err == -ENOSPC) { /* a bucket held more than that */
			size *= 2;
			continue;
		}
		if (err && err != -ENOENT)
			break;
		if (add_items(list, keys, values, n)) {
			err = -ENOMEM;
			break;
		}
		from = &position;
	}
	free(keys);
	free(values);
	return err == -ENOENT ? 0 : err;
}

struct serials {
	uint64_t *all;
	size_t nr;
};

static int compare_serials(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void sort_serials(struct serials *s)
{
	if (s->nr)
		qsort(s->all, s->nr, sizeof(*s->all), compare_serials);
}

static bool has_serial(const struct serials *s, uint64_t serial)
{
	return s->nr && bsearch(&serial, s->all, s->nr, sizeof(serial), compare_serials);
}

/* Of the sample's tasks; with `dead` only of those that exited. */
static int take_serials(struct serials *out, const struct sample *s, bool dead)
{
	const struct task_entry *e;
	size_t n = 0;

	for (e = sample_first(s); e; e = sample_next(s, e))
		n += !dead || e->name.flags & TASK_DEAD;
	out->nr = 0;
	out->all = malloc(n * sizeof(*out->all) + 1);
	if (!out->all)
		return -ENOMEM;
	for (e = sample_first(s); e; e = sample_next(s, e))
		if (!dead || e->name.flags & TASK_DEAD)
			out->all[out->nr++] = e->serial;
	sort_serials(out);
	return 0;
}

static int take_list_serials(struct serials *out, const struct overflow_list *list)
{
	out->all = malloc(list->nr * sizeof(*out->all) + 1);
	if (!out->all)
		return -ENOMEM;
	for (out->nr = 0; out->nr < list->nr; out->nr++)
		out->all[out->nr] = list->items[out->nr].key.serial;
	sort_serials(out);
	return 0;
}

int overflow_settle(int fd, struct sample *s, const struct overflow_list *before)
{
	struct serials dead = {0}, present = {0}, old = {0};
	int err;

	if (!s->nr_overflow)
		return 0;
	err = take_serials(&dead, s, true);
	if (!err && s->complete)
		err = take_serials(&present, s, false);
	if (!err && s->complete)
		err = take_list_serials(&old, before);
	for (size_t i = 0; !err && i < s->nr_overflow; i++) {
		struct sample_overflow *o = &s->overflow[i];
		uint64_t serial = o->key.serial;

		o->orphan =
		    s->complete && has_serial(&old, serial) && !has_serial(&present, serial);
		if (o->orphan || has_serial(&dead, serial))
			bpf_map_delete_elem(fd, &o->key);
	}
	free(dead.all);
	free(present.all);
	free(old.all);
	return err;
}
