// SPDX-License-Identifier: GPL-2.0-only
#include "known.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t known_place(uint64_t where)
{
	return where & ((uint64_t)WHERE_OBJECT_MASK << WHERE_OBJECT_SHIFT |
			((1ULL << WHERE_OFFSET_BITS) - 1));
}

struct known_site *known_site(struct known *k, uint64_t place, bool add)
{
	struct known_site *sites;

	for (size_t i = 0; i < k->nr_sites; i++)
		if (k->sites[i].place == place)
			return &k->sites[i];
	if (!add || k->nr_sites == KNOWN_SITES)
		return NULL;
	sites = realloc(k->sites, (k->nr_sites + 1) * sizeof(*sites));
	if (!sites)
		return NULL;
	k->sites = sites;
	sites[k->nr_sites] = (struct known_site){.place = place};
	return &sites[k->nr_sites++];
}

struct known_clock *known_clock(struct known *k, int32_t clock, bool add)
{
	struct known_clock *clocks;

	for (size_t i = 0; i < k->nr_clocks; i++)
		if (k->clocks[i].clock == clock)
			return &k->clocks[i];
	if (!add || k->nr_clocks == KNOWN_CLOCKS)
		return NULL;
	clocks = realloc(k->clocks, (k->nr_clocks + 1) * sizeof(*clocks));
	if (!clocks)
		return NULL;
	k->clocks = clocks;
	clocks[k->nr_clocks] = (struct known_clock){.clock = clock};
	return &clocks[k->nr_clocks++];
}

static void move_string(char **to, char **from)
{
	if (!*from)
		return;
	free(*to);
	*to = *from;
	*from = NULL;
}

static void take_site(struct known *k, struct look_site *found)
{
	struct known_site *site = known_site(k, found->place, false);

	if (!site)
		return;
	site->answered = true;
	site->caller = found->caller;
	site->err = found->err;
	site->exe = found->exe;
	move_string(&site->path, &found->path);
	move_string(&site->symbol, &found->symbol);
}

void known_take(struct known *k, struct look *look, uint64_t now_ns)
{
	k->err = look->err;
	k->looked_ns = now_ns;
	k->threads |= look->threads;
	if (look->err == -ESRCH)
		k->gone = true;
	if (look->container[0])
		memcpy(k->container, look->container, sizeof(k->container));
	move_string(&k->exe, &look->exe);
	/* A look that found it gone half way still knows where its code was. */
	for (size_t i = 0; i < look->nr_sites; i++)
		take_site(k, &look->sites[i]);
	for (size_t i = 0; i < look->nr_clocks; i++) {
		struct known_clock *clock = known_clock(k, look->clocks[i].clock, false);

		if (clock) {
			clock->answered = true;
			clock->exists = look->clocks[i].exists;
		}
	}
	if (look->err == -ESRCH)
		return;
	k->tracer = look->tracer;
	k->tool = look->tool;
	k->vdso = look->vdso;
	k->vdso_genuine = look->vdso_genuine;
	k->vdso_err = look->vdso_err;
	/* A filter cannot be taken off again. */
	if (k->seccomp != FACT_YES)
		k->seccomp = look->seccomp;
}

bool known_is_open(const struct known *k)
{
	if (k->gone)
		return false;
	for (size_t i = 0; i < k->nr_sites; i++)
		if (!k->sites[i].answered)
			return true;
	for (size_t i = 0; i < k->nr_clocks; i++)
		if (!k->clocks[i].answered)
			return true;
	return k->want_threads && !k->threads;
}

bool known_waits(const struct known *k)
{
	return k && k->wanted && !k->gone;
}

void known_free(struct known *k)
{
	for (size_t i = 0; i < k->nr_sites; i++) {
		free(k->sites[i].path);
		free(k->sites[i].symbol);
	}
	free(k->sites);
	free(k->clocks);
	free(k->exe);
	free(k);
}
