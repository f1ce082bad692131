/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash map from keys of one fixed size to values of one fixed size, kept in
 * one block of memory (open addressing, linear probing).  Keys are compared
 * as bytes: zero their padding.
 */
#ifndef CLOCKTOP_MAP_H
#define CLOCKTOP_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct map {
	size_t key_size, value_size; /* rounded up to 8 */
	size_t room;		     /* a power of two, or 0 */
	size_t used;
	unsigned char *cells;
};

/* An empty map.  map_free() gives its memory back and leaves it empty. */
void map_init(struct map *m, size_t key_size, size_t value_size);
void map_free(struct map *m);

/* Removes everything and keeps the memory. */
void map_clear(struct map *m);

/* The value of key, or NULL.  Valid until the next put or remove. */
void *map_get(const struct map *m, const void *key);

/* The value of key, zeroed if it was not there (*fresh says so; may be NULL).
 * NULL without memory.  Valid until the next put or remove. */
void *map_put(struct map *m, const void *key, bool *fresh);

/* Removes key; false if it was not there. */
bool map_remove(struct map *m, const void *key);

/* The value in the first used cell at or after *at, and its key; moves *at
 * past it.  NULL at the end.  Start with *at = 0; neither put nor remove
 * between. */
void *map_each(const struct map *m, size_t *at, const void **key);

#endif
