// SPDX-License-Identifier: GPL-2.0-only
#include "places.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define ASKED 16	 /* files that are read without a look at a process, an interval */
#define REMEMBERED 65536 /* places before it starts anew */

void places_init(struct places *p, struct collector *collector)
{
	*p = (struct places){.collector = collector};
	map_init(&p->sites, sizeof(uint64_t), sizeof(struct known_site));
}

static void clear(struct places *p)
{
	struct known_site *site;
	const void *key;
	size_t at = 0;

	while ((site = map_each(&p->sites, &at, &key))) {
		free(site->path);
		free(site->symbol);
	}
	map_clear(&p->sites);
}

void places_free(struct places *p)
{
	clear(p);
	map_free(&p->sites);
}

void places_begin(struct places *p)
{
	p->unasked = ASKED;
	if (p->sites.used > REMEMBERED)
		clear(p);
}

const struct known_site *places_find(const struct places *p, uint64_t place)
{
	return map_get(&p->sites, &place);
}

const struct known_site *places_ask(struct places *p, uint64_t place, struct look_memory *memory)
{
	struct known_site *site = map_get(&p->sites, &place);
	struct look_site found = {.place = place};
	dev_t dev;
	ino_t ino;

	if (site || !p->unasked)
		return site;
	p->unasked--;
	if (!collector_object_file(p->collector, place, &dev, &ino))
		return NULL;
	found.object = strdup(collector_object(p->collector, place));
	if (!found.object)
		return NULL;
	found.offset = place & ((1ULL << WHERE_OFFSET_BITS) - 1);
	found.ino = ino;
	found.major = major(dev);
	found.minor = minor(dev);
	if (!look_remembered(&found, memory))
		look_elsewhere(&found, (uint32_t)getpid(), memory);
	free(found.object);
	site = map_put(&p->sites, &place, NULL);
	if (!site) {
		free(found.path);
		free(found.symbol);
		return NULL;
	}
	*site = (struct known_site){
	    .place = place,
	    .answered = true,
	    .caller = found.caller,
	    .path = found.path,
	    .symbol = found.symbol,
	};
	return site;
}

void places_remember(struct places *p, const struct known_site *site)
{
	struct known_site *place = map_put(&p->sites, &site->place, NULL);

	if (!place || place->caller != CALLER_UNKNOWN)
		return;
	free(place->path);
	free(place->symbol);
	*place = *site;
	place->path = site->path ? strdup(site->path) : NULL;
	place->symbol = site->symbol ? strdup(site->symbol) : NULL;
}
