// SPDX-License-Identifier: GPL-2.0-only
#include "map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A cell is a word that says whether it is used, the key, and the value. */
#define HEAD 8

static size_t round_up(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

static size_t cell_size(const struct map *m)
{
	return HEAD + round_up(m->key_size) + m->value_size;
}

static unsigned char *cell_at(const struct map *m, size_t i)
{
	return m->cells + i * cell_size(m);
}

static bool cell_used(const unsigned char *cell)
{
	return cell[0];
}

static void *cell_value(const struct map *m, unsigned char *cell)
{
	return cell + HEAD + round_up(m->key_size);
}

/* Takes the key in words of 8 bytes, each multiplied in and mixed down; the
 * multiplier is 2^64 divided by the golden ratio (Knuth, TAOCP 6.4). */
static size_t hash(const struct map *m, const void *key)
{
	const unsigned char *p = key;
	size_t left = m->key_size;
	uint64_t h = left, word;

	while (left) {
		size_t n = left < sizeof(word) ? left : sizeof(word);

		word = 0;
		memcpy(&word, p, n);
		h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 32;
		p += n;
		left -= n;
	}
	return (size_t)h;
}

void map_init(struct map *m, size_t key_size, size_t value_size)
{
	memset(m, 0, sizeof(*m));
	m->key_size = key_size;
	m->value_size = round_up(value_size);
}

void map_free(struct map *m)
{
	free(m->cells);
	m->cells = NULL;
	m->room = m->used = 0;
}

void map_clear(struct map *m)
{
	if (m->cells)
		memset(m->cells, 0, m->room * cell_size(m));
	m->used = 0;
}

/* The cell that holds key, or the free one where it would go. */
static size_t seek(const struct map *m, const void *key)
{
	size_t i = hash(m, key) & (m->room - 1);

	while (cell_used(cell_at(m, i)) && memcmp(cell_at(m, i) + HEAD, key, m->key_size) != 0)
		i = (i + 1) & (m->room - 1);
	return i;
}

void *map_get(const struct map *m, const void *key)
{
	unsigned char *cell;

	if (!m->used)
		return NULL;
	cell = cell_at(m, seek(m, key));
	return cell_used(cell) ? cell_value(m, cell) : NULL;
}

static bool grow(struct map *m)
{
	struct map old = *m;
	size_t i;

	m->room = old.room ? 2 * old.room : 16;
	m->cells = calloc(m->room, cell_size(m));
	if (!m->cells) {
		*m = old;
		return false;
	}
	for (i = 0; i < old.room; i++)
		if (cell_used(cell_at(&old, i)))
			memcpy(cell_at(m, seek(m, cell_at(&old, i) + HEAD)), cell_at(&old, i),
			       cell_size(m));
	free(old.cells);
	return true;
}

void *map_put(struct map *m, const void *key, bool *fresh)
{
	unsigned char *cell;
	bool is_new;

	if (4 * (m->used + 1) > 3 * m->room && !grow(m))
		return NULL;
	cell = cell_at(m, seek(m, key));
	is_new = !cell_used(cell);
	if (is_new) {
		cell[0] = 1;
		memcpy(cell + HEAD, key, m->key_size);
		memset(cell_value(m, cell), 0, m->value_size);
		m->used++;
	}
	if (fresh)
		*fresh = is_new;
	return cell_value(m, cell);
}

bool map_remove(struct map *m, const void *key)
{
	size_t mask = m->room - 1, hole, i, home;

	if (!m->used)
		return false;
	hole = seek(m, key);
	if (!cell_used(cell_at(m, hole)))
		return false;
	/* Move back what a probe would no longer find behind the hole. */
	for (i = (hole + 1) & mask; cell_used(cell_at(m, i)); i = (i + 1) & mask) {
		home = hash(m, cell_at(m, i) + HEAD) & mask;
		if (((i - home) & mask) >= ((i - hole) & mask)) {
			memcpy(cell_at(m, hole), cell_at(m, i), cell_size(m));
			hole = i;
		}
	}
	memset(cell_at(m, hole), 0, cell_size(m));
	m->used--;
	return true;
}

void *map_each(const struct map *m, size_t *at, const void **key)
{
	unsigned char *cell;

	while (*at < m->room) {
		cell = cell_at(m, (*at)++);
		if (cell_used(cell)) {
			if (key)
				*key = cell + HEAD;
			return cell_value(m, cell);
		}
	}
	return NULL;
}
