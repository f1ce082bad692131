/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where direct calls come from, by file and offset, whatever process made
 * them: what one look found out tells of all other processes of the same
 * program, those that are gone included.
 */
#ifndef CLOCKTOP_PLACES_H
#define CLOCKTOP_PLACES_H

#include <stdint.h>

#include "collector.h"
#include "known.h"
#include "look.h"
#include "map.h"

struct places {
	struct collector *collector;
	struct map sites;     /* known_place(): struct known_site */
	unsigned int unasked; /* files that may still be read in this interval */
};

/* The collector must outlive it. */
void places_init(struct places *p, struct collector *collector);
void places_free(struct places *p);

/* An interval begins. */
void places_begin(struct places *p);

/* What is known of a place; NULL when nothing is.  Valid until the next call that
 * is given p. */
const struct known_site *places_find(const struct places *p, uint64_t place);

/* The same, and where nothing is known, what this program itself tells of the
 * place, if it has the file mapped. */
const struct known_site *places_ask(struct places *p, uint64_t place, struct look_memory *memory);

/* Copies what a look found. */
void places_remember(struct places *p, const struct known_site *site);

#endif
