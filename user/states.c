// SPDX-License-Identifier: GPL-2.0-only
#include "states.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

void states_init(struct states *s)
{
	*s = (struct states){0};
	map_init(&s->by_serial, sizeof(uint64_t), sizeof(size_t));
}

void states_free(struct states *s)
{
	free(s->all);
	map_free(&s->by_serial);
}

void states_begin(struct states *s)
{
	s->next = 0;
}

/* The index of one that is not used, searched from the one behind the last;
 * SIZE_MAX without memory. */
static size_t take_unused(struct states *s)
{
	size_t i = s->next < s->nr ? s->next : 0;
	struct task_state *all;

	if (s->unused) {
		while (s->all[i].serial)
			i = (i + 1) % s->nr;
		s->unused--;
		return i;
	}
	all = array_room(s->all, s->nr, &s->room, sizeof(*all));
	if (!all)
		return SIZE_MAX;
	s->all = all;
	return s->nr++;
}

struct task_state *states_make(struct states *s, uint64_t serial, bool *fresh)
{
	size_t *index;

	*fresh = false;
	if (s->next < s->nr && s->all[s->next].serial == serial)
		return &s->all[s->next++];
	index = map_put(&s->by_serial, &serial, fresh);
	if (!index)
		return NULL;
	if (*fresh) {
		*index = take_unused(s);
		if (*index == SIZE_MAX) {
			map_remove(&s->by_serial, &serial);
			return NULL;
		}
		memset(&s->all[*index], 0, sizeof(s->all[*index]));
		s->all[*index].serial = serial;
	}
	s->next = *index + 1;
	return &s->all[*index];
}

struct task_state *states_find(struct states *s, uint64_t serial)
{
	const size_t *index = map_get(&s->by_serial, &serial);

	return index ? &s->all[*index] : NULL;
}

void states_drop(struct states *s, struct task_state *t)
{
	map_remove(&s->by_serial, &t->serial);
	t->serial = 0;
	s->unused++;
}
