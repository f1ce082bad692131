// SPDX-License-Identifier: GPL-2.0-only
#include "sample.h"

#include <stdlib.h>
#include <string.h>

void sample_init(struct sample *s)
{
	memset(s, 0, sizeof(*s));
}

void sample_free(struct sample *s)
{
	free(s->entries);
	free(s->overflow);
	sample_init(s);
}

static const struct task_entry *entry_at(const struct sample *s, size_t offset)
{
	const struct task_entry *e;

	if (offset + SAMPLE_ENTRY_HEAD > s->bytes)
		return NULL;
	e = (const void *)(s->entries + offset);
	if (e->nr > NR_SLOTS || offset + sample_entry_size(e) > s->bytes)
		return NULL;
	return e;
}

const struct task_entry *sample_first(const struct sample *s)
{
	return entry_at(s, 0);
}

const struct task_entry *sample_next(const struct sample *s, const struct task_entry *e)
{
	return entry_at(s, (size_t)((const unsigned char *)e - s->entries) + sample_entry_size(e));
}
