// SPDX-License-Identifier: GPL-2.0-only
/* Two hash tables with chains of indices: entries by key, parts by entry and
 * kind of call. */
#include "ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define FIRST_ROOM 64

/* Clock ids and names are chosen by the processes that are watched; a seed
 * keeps them from choosing them so that all fall into one bucket. */
static uint64_t seed(void)
{
	static uint64_t value;

	if (!value && getrandom(&value, sizeof(value), GRND_NONBLOCK) != (ssize_t)sizeof(value))
		value = (uint64_t)(uintptr_t)&value;
	value |= 1;
	return value;
}

/* A bijection that spreads every bit over all others: the finalizer of
 * MurmurHash3 (public domain constants). */
static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdULL;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ULL;
	x ^= x >> 33;
	return x;
}

static uint32_t hash_key(const struct ledger_key *key)
{
	uint64_t words[2];
	uint64_t h = seed();

	_Static_assert(sizeof(words) == sizeof(key->name), "a name is two words");
	memcpy(words, key->name, sizeof(words));
	h = mix(h ^ ((uint64_t)key->kind << 32 | key->tid));
	h = mix(h ^ key->proc.pid);
	h = mix(h ^ key->proc.start_ns);
	h = mix(h ^ words[0]);
	h = mix(h ^ words[1]);
	return (uint32_t)h;
}

static uint32_t hash_part(uint32_t entry, uint64_t call_key)
{
	return (uint32_t)mix(mix(seed() ^ entry) ^ call_key);
}

bool ledger_same_key(const struct ledger_key *a, const struct ledger_key *b)
{
	return a->kind == b->kind && a->tid == b->tid && proc_id_equal(a->proc, b->proc) &&
	       memcmp(a->name, b->name, sizeof(a->name)) == 0;
}

void ledger_init(struct ledger *l)
{
	memset(l, 0, sizeof(*l));
	l->free_entries = LEDGER_NONE;
	l->free_parts = LEDGER_NONE;
}

void ledger_free(struct ledger *l)
{
	free(l->entries);
	free(l->parts);
	free(l->entry_buckets);
	free(l->part_buckets);
	ledger_init(l);
}

static void empty_buckets(uint32_t *buckets, uint32_t mask)
{
	if (buckets)
		memset(buckets, 0xff, ((size_t)mask + 1) * sizeof(*buckets)); /* LEDGER_NONE */
}

void ledger_clear(struct ledger *l)
{
	empty_buckets(l->entry_buckets, l->entry_mask);
	empty_buckets(l->part_buckets, l->part_mask);
	l->nr_entries = l->live_entries = 0;
	l->nr_parts = l->live_parts = 0;
	l->nr_names = 0;
	l->free_entries = LEDGER_NONE;
	l->free_parts = LEDGER_NONE;
}

static void *copy_of(const void *from, size_t bytes)
{
	void *to = malloc(bytes ? bytes : 1);

	if (to && bytes)
		memcpy(to, from, bytes);
	return to;
}

int ledger_copy(struct ledger *dst, const struct ledger *src)
{
	*dst = *src;
	dst->entry_room = src->nr_entries;
	dst->part_room = src->nr_parts;
	dst->entries = copy_of(src->entries, src->nr_entries * sizeof(*src->entries));
	dst->parts = copy_of(src->parts, src->nr_parts * sizeof(*src->parts));
	dst->entry_buckets = NULL;
	dst->part_buckets = NULL;
	if (src->entry_buckets)
		dst->entry_buckets = copy_of(src->entry_buckets, ((size_t)src->entry_mask + 1) *
								     sizeof(*src->entry_buckets));
	if (src->part_buckets)
		dst->part_buckets = copy_of(src->part_buckets, ((size_t)src->part_mask + 1) *
								   sizeof(*src->part_buckets));
	if (dst->entries && dst->parts && !dst->entry_buckets == !src->entry_buckets &&
	    !dst->part_buckets == !src->part_buckets)
		return 0;
	ledger_free(dst);
	return -ENOMEM;
}

uint64_t ledger_call_key(enum call call, enum abi abi, enum via via, int32_t clock)
{
	return KEY_USED | (uint64_t)call << KEY_CALL_SHIFT | (uint64_t)abi << KEY_ABI_SHIFT |
	       (uint64_t)via << KEY_VIA_SHIFT | (uint32_t)clock;
}

/* Fresh buckets for `room` elements, all empty; NULL without memory. */
static uint32_t *new_buckets(uint32_t room)
{
	uint32_t *buckets = malloc(room * sizeof(*buckets));

	if (buckets)
		empty_buckets(buckets, room - 1);
	return buckets;
}

/* Doubles room and buckets; room stays a power of two.  A copy's room is
 * not, and it is never grown. */
static bool grow_entries(struct ledger *l)
{
	uint32_t room = l->entry_room ? l->entry_room * 2 : FIRST_ROOM;
	struct ledger_entry *entries;
	uint32_t *buckets;

	if (room < l->entry_room)
		return false;
	entries = reallocarray(l->entries, room, sizeof(*entries));
	if (!entries)
		return false;
	l->entries = entries;
	buckets = new_buckets(room);
	if (!buckets)
		return false;
	for (uint32_t i = 0; i < l->nr_entries; i++) {
		uint32_t *head = &buckets[hash_key(&entries[i].key) & (room - 1)];

		if (entries[i].key.kind == LEDGER_FREE)
			continue;
		entries[i].chain = *head;
		*head = i;
	}
	free(l->entry_buckets);
	l->entry_buckets = buckets;
	l->entry_mask = room - 1;
	l->entry_room = room;
	return true;
}

static bool grow_parts(struct ledger *l)
{
	uint32_t room = l->part_room ? l->part_room * 2 : FIRST_ROOM;
	struct ledger_part *parts;
	uint32_t *buckets;

	if (room < l->part_room)
		return false;
	parts = reallocarray(l->parts, room, sizeof(*parts));
	if (!parts)
		return false;
	l->parts = parts;
	buckets = new_buckets(room);
	if (!buckets)
		return false;
	for (uint32_t i = 0; i < l->nr_parts; i++) {
		uint32_t *head;

		if (parts[i].entry == LEDGER_NONE)
			continue;
		head = &buckets[hash_part(parts[i].entry, parts[i].key) & (room - 1)];
		parts[i].chain = *head;
		*head = i;
	}
	free(l->part_buckets);
	l->part_buckets = buckets;
	l->part_mask = room - 1;
	l->part_room = room;
	return true;
}

static uint32_t find_entry(const struct ledger *l, const struct ledger_key *key)
{
	uint32_t i;

	if (!l->entry_buckets)
		return LEDGER_NONE;
	i = l->entry_buckets[hash_key(key) & l->entry_mask];
	while (i != LEDGER_NONE && !ledger_same_key(&l->entries[i].key, key))
		i = l->entries[i].chain;
	return i;
}

static bool is_name(const struct ledger_key *key)
{
	return key->kind == LEDGER_COMMAND || key->kind == LEDGER_CONTAINER;
}

uint32_t ledger_entry(struct ledger *l, const struct ledger_key *key, bool make)
{
	struct ledger_key others = {.kind = key->kind, .name = LEDGER_OTHER_NAME};
	uint32_t i = find_entry(l, key);
	struct ledger_entry *e;
	uint32_t *head;

	if (i != LEDGER_NONE || !make)
		return i;
	if (is_name(key) && l->nr_names >= LEDGER_MAX_NAMES) {
		key = &others;
		i = find_entry(l, key);
		if (i != LEDGER_NONE)
			return i;
	}
	if (l->free_entries != LEDGER_NONE) {
		i = l->free_entries;
		l->free_entries = l->entries[i].chain;
	} else {
		if (l->nr_entries == l->entry_room && !grow_entries(l))
			return LEDGER_NONE;
		i = l->nr_entries++;
	}
	e = &l->entries[i];
	memset(e, 0, sizeof(*e));
	e->key = *key;
	e->first = LEDGER_NONE;
	head = &l->entry_buckets[hash_key(key) & l->entry_mask];
	e->chain = *head;
	*head = i;
	l->live_entries++;
	if (is_name(key))
		l->nr_names++;
	return i;
}

static uint32_t find_part(const struct ledger *l, uint32_t entry, uint64_t call_key)
{
	uint32_t i;

	if (!l->part_buckets)
		return LEDGER_NONE;
	i = l->part_buckets[hash_part(entry, call_key) & l->part_mask];
	while (i != LEDGER_NONE && (l->parts[i].entry != entry || l->parts[i].key != call_key))
		i = l->parts[i].chain;
	return i;
}

uint32_t ledger_part(struct ledger *l, uint32_t entry, uint64_t call_key)
{
	uint32_t i = find_part(l, entry, call_key);
	struct ledger_part *p;
	uint32_t *head;

	if (i != LEDGER_NONE)
		return i;
	if (l->entries[entry].nr_parts >= LEDGER_MAX_PARTS - 1) {
		call_key = LEDGER_OTHERS;
		i = find_part(l, entry, call_key);
		if (i != LEDGER_NONE)
			return i;
	}
	if (l->free_parts != LEDGER_NONE) {
		i = l->free_parts;
		l->free_parts = l->parts[i].chain;
	} else {
		if (l->nr_parts == l->part_room && !grow_parts(l))
			return LEDGER_NONE;
		i = l->nr_parts++;
	}
	p = &l->parts[i];
	memset(p, 0, sizeof(*p));
	p->key = call_key;
	p->entry = entry;
	p->object = "";
	p->next = l->entries[entry].first;
	l->entries[entry].first = i;
	l->entries[entry].nr_parts++;
	head = &l->part_buckets[hash_part(entry, call_key) & l->part_mask];
	p->chain = *head;
	*head = i;
	l->live_parts++;
	return i;
}

static void remove_part(struct ledger *l, uint32_t i)
{
	struct ledger_part *p = &l->parts[i];
	uint32_t *link = &l->part_buckets[hash_part(p->entry, p->key) & l->part_mask];

	while (*link != i)
		link = &l->parts[*link].chain;
	*link = p->chain;
	p->entry = LEDGER_NONE;
	p->chain = l->free_parts;
	l->free_parts = i;
	l->live_parts--;
}

void ledger_remove(struct ledger *l, uint32_t entry)
{
	struct ledger_entry *e = &l->entries[entry];
	uint32_t *link = &l->entry_buckets[hash_key(&e->key) & l->entry_mask];
	uint32_t next;

	for (uint32_t i = e->first; i != LEDGER_NONE; i = next) {
		next = l->parts[i].next;
		remove_part(l, i);
	}
	while (*link != entry)
		link = &l->entries[*link].chain;
	*link = e->chain;
	if (is_name(&e->key))
		l->nr_names--;
	e->key.kind = LEDGER_FREE;
	e->chain = l->free_entries;
	l->free_entries = entry;
	l->live_entries--;
}

void ledger_stamp(struct ledger_part *p, uint32_t stamp)
{
	if (p->stamp == stamp)
		return;
	p->stamp = stamp;
	p->sums.count = 0;
	p->sums.errors = 0;
	p->sums.cpu = 0;
	p->sums.cpu_open = false;
}

/* Whether `a` tells more about the row than `b`: the larger share now, or
 * since the start. */
static bool larger(const struct ledger_sums *a, const struct ledger_sums *b)
{
	return a->count != b->count ? a->count > b->count : a->total > b->total;
}

int ledger_fold(struct ledger *l, uint32_t to, const struct ledger *from_ledger, uint32_t from,
		uint32_t stamp)
{
	uint32_t next;

	for (uint32_t i = from_ledger->entries[from].first; i != LEDGER_NONE; i = next) {
		/* A copy: making a part can move l's parts. */
		struct ledger_part f = from_ledger->parts[i];
		struct ledger_part *p;
		uint32_t n = ledger_part(l, to, f.key);

		if (n == LEDGER_NONE)
			return -ENOMEM;
		next = f.next;
		ledger_stamp(&f, stamp);
		p = &l->parts[n];
		ledger_stamp(p, stamp);
		if (larger(&f.sums, &p->sums)) {
			p->cause = f.cause;
			p->where = f.where;
			p->object = f.object;
		}
		p->sums.count += f.sums.count;
		p->sums.errors += f.sums.errors;
		p->sums.total += f.sums.total;
		p->sums.total_errors += f.sums.total_errors;
		p->sums.cpu += f.sums.cpu;
		p->sums.cpu_open |= f.sums.cpu_open;
	}
	return 0;
}
