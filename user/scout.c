// SPDX-License-Identifier: GPL-2.0-only
#include "scout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "array.h"
#include "looker.h"
#include "map.h"
#include "places.h"

#define MS 1000000ULL
#define SECOND 1000000000ULL

#define LOOK_LONGEST (3 * SECOND) /* then a look is left behind */
#define LOOK_AGE (10 * SECOND)	  /* then it is looked at again */
#define LOOK_SHARE 2000		  /* but looks for age take no more than that part of it */
#define LOOK_AGAIN SECOND	  /* none more often for its name's sake */
#define LOOKS_AGAIN 8		  /* looks for age alone, an interval */
#define FORGET_AGE (60 * SECOND)  /* without a call */
#define REMEMBERED 65536	  /* containers before it starts anew */

struct scout {
	struct collector *collector;
	struct looker *looker;
	struct proc_id looking; /* at whom, while the looker is busy */
	uint64_t looking_since;
	struct map known;      /* struct proc_key: struct known * */
	struct map containers; /* cgroup id: char[CONTAINER_ID] */
	struct places places;
	struct known **list; /* of this interval */
	size_t nr, room;
	uint64_t now;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

struct scout *scout_new(struct collector *collector)
{
	struct scout *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->looker = looker_new();
	if (!s->looker) {
		free(s);
		return NULL;
	}
	s->collector = collector;
	map_init(&s->known, sizeof(struct proc_key), sizeof(struct known *));
	map_init(&s->containers, sizeof(uint64_t), CONTAINER_ID);
	places_init(&s->places, collector);
	return s;
}

void scout_free(struct scout *s)
{
	struct known **k;
	const void *key;
	size_t at = 0;

	if (!s)
		return;
	looker_free(s->looker);
	while ((k = map_each(&s->known, &at, &key)))
		known_free(*k);
	places_free(&s->places);
	map_free(&s->known);
	map_free(&s->containers);
	free(s->list);
	free(s);
}

static struct known *find(struct scout *s, struct proc_id proc)
{
	struct proc_key key = proc_key(proc);
	struct known **k = map_get(&s->known, &key);

	return k ? *k : NULL;
}

static struct known *find_or_add(struct scout *s, const struct record *r)
{
	struct proc_key key = proc_key(r->proc);
	struct known **k = map_put(&s->known, &key, NULL);

	if (!k || *k)
		return k ? *k : NULL;
	*k = calloc(1, sizeof(**k));
	if (!*k) {
		map_remove(&s->known, &key);
		return NULL;
	}
	(*k)->proc = r->proc;
	memcpy((*k)->comm, r->comm, sizeof((*k)->comm));
	return *k;
}

/* Without memory it is left out: it is known by name only, this once. */
static void list_add(struct scout *s, struct known *k)
{
	struct known **list = array_room(s->list, s->nr, &s->room, sizeof(struct known *));

	if (!list)
		return;
	s->list = list;
	s->list[s->nr++] = k;
}

/* Drops who ended before, or made no call for long. */
static void forget_known(struct scout *s)
{
	struct known **k;
	const void *key;
	size_t at = 0;

	while ((k = map_each(&s->known, &at, &key)))
		if ((*k)->forget || s->now - (*k)->seen_ns > FORGET_AGE)
			list_add(s, *k);
	for (size_t i = 0; i < s->nr; i++) {
		struct proc_key old = proc_key(s->list[i]->proc);

		map_remove(&s->known, &old);
		known_free(s->list[i]);
	}
	s->nr = 0;
	if (s->containers.used > REMEMBERED)
		map_clear(&s->containers);
}

void scout_begin(struct scout *s, bool forget)
{
	for (size_t i = 0; i < s->nr; i++)
		s->list[i]->weight = 0;
	s->nr = 0;
	s->now = now_ns();
	places_begin(&s->places);
	if (forget)
		forget_known(s);
}

static bool has_file(uint64_t where)
{
	uint64_t object = where >> WHERE_OBJECT_SHIFT & WHERE_OBJECT_MASK;

	return object != 0 && object != WHERE_ANON;
}

/* Whether the kernel side and earlier looks at the same file tell all that a
 * direct call's cause rests on: a swarm of one program is looked at once. */
static bool is_clear(const struct scout *s, const struct record *r)
{
	uint64_t place = known_place(r->where);
	const struct known_site *site = places_find(&s->places, place);

	if (r->via != VIA_DIRECT || (r->where >> WHERE_VDSO_SHIFT & 3) == WHERE_VDSO_UNKNOWN)
		return false;
	return has_file(r->where) ? site && site->caller != CALLER_UNKNOWN : place != 0;
}

/* Notes what a record asks of the next look beyond the process itself. */
static bool note_details(struct known *k, const struct record *r, unsigned int wants)
{
	bool wanted = false;

	if ((wants & (SCOUT_CAUSE | SCOUT_ALL)) && r->via == VIA_DIRECT && has_file(r->where)) {
		struct known_site *site = known_site(k, known_place(r->where), true);

		wanted |= site && !site->answered;
	}
	if (!(wants & SCOUT_ANSWER))
		return wanted;
	if (r->clock < 0) {
		struct known_clock *clock = known_clock(k, r->clock, true);

		wanted |= clock && !clock->answered;
	}
	if (!(r->where & WHERE_ASKED) && k->seccomp != FACT_YES && !k->threads) {
		k->want_threads = true;
		wanted = true;
	}
	return wanted;
}

/* A process that has another name now was most likely replaced by exec. */
static bool note_name(struct scout *s, struct known *k, const struct record *r)
{
	if (memcmp(k->comm, r->comm, sizeof(k->comm)) == 0 ||
	    (k->looked_ns && s->now - k->looked_ns < LOOK_AGAIN))
		return false;
	memcpy(k->comm, r->comm, sizeof(k->comm));
	for (size_t i = 0; i < k->nr_sites; i++)
		k->sites[i].answered = false;
	return k->looked_ns != 0;
}

void scout_note(struct scout *s, const struct record *r, unsigned int wants)
{
	struct known *k = find_or_add(s, r);
	bool wanted, again;

	if (!k)
		return;
	k->seen_ns = s->now;
	if ((wants & SCOUT_CONTAINER) && r->cgroup_id > 1 && map_get(&s->containers, &r->cgroup_id))
		wants &= ~(unsigned int)SCOUT_CONTAINER;
	if (!(wants & SCOUT_ALL) && is_clear(s, r))
		wants &= ~(unsigned int)SCOUT_CAUSE;
	wanted = note_details(k, r, wants);
	if (wants)
		wanted |= note_name(s, k, r) || !k->looked_ns;
	again = (wants & (SCOUT_CAUSE | SCOUT_ANSWER)) &&
		s->now - k->looked_ns > LOOK_AGE + k->took_ns * LOOK_SHARE;
	/* A thread that exited says nothing of its process. */
	if (r->exited && !r->tid)
		k->gone = true;
	if (!k->weight)
		k->wanted = k->wanted_again = false;
	if (k->gone || (!wanted && !again && !k->weight))
		return;
	if (!k->weight)
		list_add(s, k);
	k->wanted |= wanted;
	k->wanted_again |= again;
	k->weight += r->calls.count;
}

static bool make_sites(struct scout *s, const struct known *k, struct look *look)
{
	look->sites = calloc(k->nr_sites, sizeof(*look->sites));
	if (!look->sites)
		return false;
	for (size_t i = 0; i < k->nr_sites; i++) {
		struct look_site *site = &look->sites[look->nr_sites];
		uint64_t where = k->sites[i].place;
		dev_t dev;
		ino_t ino;

		if (k->sites[i].answered || !collector_object_file(s->collector, where, &dev, &ino))
			continue;
		site->object = strdup(collector_object(s->collector, where));
		if (!site->object)
			return false;
		site->place = k->sites[i].place;
		site->offset = where & ((1ULL << WHERE_OFFSET_BITS) - 1);
		site->ino = ino;
		site->major = major(dev);
		site->minor = minor(dev);
		look->nr_sites++;
	}
	return true;
}

static bool make_clocks(const struct known *k, struct look *look)
{
	look->clocks = calloc(k->nr_clocks, sizeof(*look->clocks));
	if (!look->clocks)
		return false;
	for (size_t i = 0; i < k->nr_clocks; i++)
		if (!k->clocks[i].answered)
			look->clocks[look->nr_clocks++].clock = k->clocks[i].clock;
	return true;
}

/* NULL without memory. */
static struct look *make_look(struct scout *s, const struct known *k)
{
	struct look *look = calloc(1, sizeof(*look));

	if (!look)
		return NULL;
	look->proc = k->proc;
	look->threads = k->want_threads || k->threads;
	if ((k->nr_sites && !make_sites(s, k, look)) || (k->nr_clocks && !make_clocks(k, look))) {
		look_clear(look);
		free(look);
		return NULL;
	}
	return look;
}

/* Takes over what a finished look found, if its process is still known. */
static void take(struct scout *s, struct look *look)
{
	struct known *k = find(s, look->proc);

	if (k) {
		known_take(k, look, now_ns());
		k->took_ns = k->looked_ns - s->looking_since;
		/* A call that was noted after the look began wants another one. */
		k->wanted &= known_is_open(k);
		k->wanted_again = false;
		for (size_t i = 0; i < k->nr_sites; i++)
			if (k->sites[i].answered)
				places_remember(&s->places, &k->sites[i]);
	}
	look_clear(look);
	free(look);
}

/* A look that was begun earlier: takes it, or leaves it behind for good. */
static void finish_earlier(struct scout *s, uint64_t ns)
{
	struct look *look = looker_take(s->looker, ns);
	struct known *k;

	if (look) {
		take(s, look);
		return;
	}
	if (!looker_busy(s->looker) || now_ns() - s->looking_since < LOOK_LONGEST)
		return;
	looker_leave(s->looker);
	k = find(s, s->looking);
	if (k) {
		k->err = -ETIMEDOUT;
		k->looked_ns = now_ns();
		k->wanted = false;
	}
}

static int busiest_first(const void *a, const void *b)
{
	const struct known *x = *(struct known *const *)a, *y = *(struct known *const *)b;

	if (x->wanted != y->wanted)
		return x->wanted ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->proc.pid < y->proc.pid ? -1 : 1;
}

/* One look; false when there is no time for more. */
static bool look(struct scout *s, struct known *k, uint64_t ns)
{
	struct look *look = make_look(s, k), *done;

	if (!look)
		return false;
	if (looker_begin(s->looker, look)) { /* another time */
		look_clear(look);
		free(look);
		return false;
	}
	s->looking = k->proc;
	s->looking_since = now_ns();
	done = looker_take(s->looker, ns);
	if (done)
		take(s, done);
	return done;
}

void scout_look(struct scout *s, uint64_t ns)
{
	uint64_t start = now_ns(), spent = 0;
	unsigned int again = 0;

	finish_earlier(s, ns);
	if (s->nr)
		qsort(s->list, s->nr, sizeof(s->list[0]), busiest_first);
	for (size_t i = 0; i < s->nr && !looker_busy(s->looker); i++) {
		struct known *k = s->list[i];

		spent = now_ns() - start;
		if (spent >= ns)
			break;
		if (!k->wanted && (!k->wanted_again || again++ == LOOKS_AGAIN))
			continue;
		if (look(s, k, ns - spent > LOOK_LONGEST ? LOOK_LONGEST : ns - spent))
			continue;
		finish_earlier(s, 0);
		if (!looker_ready(s->looker))
			break;
	}
}

void scout_end(struct scout *s, const struct interval *iv)
{
	for (size_t i = 0; i < iv->nr_gone; i++) {
		struct known *k = iv->gone[i].tid ? NULL : find(s, iv->gone[i].proc);

		if (k)
			k->gone = k->forget = true;
	}
}

const struct known *scout_known(struct scout *s, struct proc_id proc)
{
	return find(s, proc);
}

const char *scout_container(struct scout *s, const struct record *r)
{
	static const char none[CONTAINER_ID]; /* callers copy all of it */
	const struct known *k = find(s, r->proc);
	char *container;

	if (k && k->looked_ns && k->err != -ESRCH) {
		container = r->cgroup_id > 1 ? map_put(&s->containers, &r->cgroup_id, NULL) : NULL;
		if (container)
			memcpy(container, k->container, CONTAINER_ID);
		return k->container;
	}
	container = r->cgroup_id > 1 ? map_get(&s->containers, &r->cgroup_id) : NULL;
	return container ? container : none;
}

const struct known_site *scout_site(struct scout *s, const struct record *r)
{
	struct known *k = find(s, r->proc);
	const uint64_t place = known_place(r->where);
	const struct known_site *site, *elsewhere;

	if (r->via != VIA_DIRECT || !has_file(r->where))
		return NULL;
	site = k ? known_site(k, place, false) : NULL;
	if (site && site->answered && site->caller != CALLER_UNKNOWN)
		return site;
	/* One that lives can still be looked at. */
	elsewhere = k && !k->gone ? places_find(&s->places, place)
				  : places_ask(&s->places, place, looker_memory(s->looker));
	return elsewhere ? elsewhere : site;
}

enum served_state scout_clock(struct scout *s, const struct record *r)
{
	struct known *k = find(s, r->proc);
	const struct known_clock *clock = k ? known_clock(k, r->clock, false) : NULL;

	return clock && clock->answered ? clock->exists : SERVED_UNKNOWN;
}
