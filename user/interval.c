// SPDX-License-Identifier: GPL-2.0-only
#include "interval.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "map.h"
#include "states.h"

/* What was counted before of a key in the overflow map. */
struct overflow_state {
	uint64_t count;
	uint64_t since;
};

/* What is known of a process any of whose threads ever called. */
struct proc_state {
	uint32_t live;	/* threads among them that live */
	bool last_died; /* the kernel said that no thread is left */
};

struct record_key {
	struct proc_id proc;
	uint32_t tid;
	uint32_t clock;
	uint32_t kind; /* call, abi and via, as in the key */
	uint32_t pad;
};

struct differ {
	bool threads;
	differ_alive_fn alive;
	bool started;
	struct states tasks;		      /* what was counted before */
	struct map overflow;		      /* overflow_key -> overflow_state */
	struct map procs;		      /* proc_key -> proc_state */
	struct map records;		      /* record_key -> index, of one interval */
	struct record_key last_key;	      /* the record found last: threads of a process */
	size_t last;			      /* come one after the other; SIZE_MAX for none */
	uint64_t mono_ns, host_calls, missed; /* of the sample before */
};

void interval_init(struct interval *iv)
{
	memset(iv, 0, sizeof(*iv));
}

void interval_free(struct interval *iv)
{
	free(iv->records);
	free(iv->gone);
	interval_init(iv);
}

struct differ *differ_new(bool threads, differ_alive_fn alive)
{
	struct differ *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->threads = threads;
	d->alive = alive;
	states_init(&d->tasks);
	map_init(&d->overflow, sizeof(struct overflow_key), sizeof(struct overflow_state));
	map_init(&d->procs, sizeof(struct proc_key), sizeof(struct proc_state));
	map_init(&d->records, sizeof(struct record_key), sizeof(size_t));
	return d;
}

void differ_free(struct differ *d)
{
	if (!d)
		return;
	states_free(&d->tasks);
	map_free(&d->overflow);
	map_free(&d->procs);
	map_free(&d->records);
	free(d);
}

void differ_threads(struct differ *d, bool threads)
{
	d->threads = threads;
}

static int add_gone(struct interval *iv, struct proc_id proc, uint32_t tid)
{
	struct gone *gone = array_room(iv->gone, iv->nr_gone, &iv->gone_room, sizeof(*gone));

	if (!gone)
		return -ENOMEM;
	iv->gone = gone;
	gone[iv->nr_gone++] = (struct gone){.proc = proc, .tid = tid};
	return 0;
}

/* The record of a key in this interval, made if it has none. */
static struct record *find_record(struct differ *d, struct interval *iv,
				  const struct task_name *name, uint64_t key)
{
	struct record_key rk;
	struct record *r, *records;
	size_t *index;
	bool fresh;

	memset(&rk, 0, sizeof(rk));
	rk.proc.pid = name->tgid;
	rk.proc.start_ns = name->start_ns;
	rk.tid = d->threads ? name->tid : 0;
	rk.clock = (uint32_t)key;
	rk.kind =
	    (uint32_t)(key >> KEY_CALL_SHIFT) & ((1U << (KEY_OUTCOME_SHIFT - KEY_CALL_SHIFT)) - 1);
	/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): its padding is 0 */
	if (d->last != SIZE_MAX && memcmp(&rk, &d->last_key, sizeof(rk)) == 0)
		return &iv->records[d->last];
	index = map_put(&d->records, &rk, &fresh);
	if (!index)
		return NULL;
	d->last_key = rk;
	d->last = *index;
	if (!fresh)
		return &iv->records[*index];
	records = array_room(iv->records, iv->nr, &iv->room, sizeof(*records));
	if (!records) {
		map_remove(&d->records, &rk);
		d->last = SIZE_MAX;
		return NULL;
	}
	iv->records = records;
	d->last = *index = iv->nr;
	r = &records[iv->nr++];
	memset(r, 0, sizeof(*r));
	r->proc = rk.proc;
	r->tid = rk.tid;
	r->call = key_call(key);
	r->abi = key_abi(key);
	r->via = key_via(key);
	r->clock = key_clock(key);
	r->object = "";
	return r;
}

/* Adds n calls of a key to the interval. */
static int add_calls(struct differ *d, struct interval *iv, const struct task_name *name,
		     const struct slot *slot, uint64_t n, uint32_t self)
{
	struct record *r;

	if (!n || name->tgid == self)
		return 0;
	r = find_record(d, iv, name, slot->key);
	if (!r)
		return -ENOMEM;
	r->uid = name->uid;
	r->cgroup_id = name->cgroup_id;
	r->followed = name->flags & TASK_FOLLOWED;
	memcpy(r->comm, d->threads ? name->thread : name->comm, sizeof(r->comm));
	r->comm[sizeof(r->comm) - 1] = 0;
	memcpy(r->process, name->comm, sizeof(r->process));
	r->process[sizeof(r->process) - 1] = 0;
	if (!r->where || n > r->largest) {
		r->where = slot->where;
		r->largest = n;
	}
	if (key_via(slot->key) == VIA_VSYSCALL)
		iv->page_calls += n;
	tally_outcome(&r->calls, key_outcome(slot->key), n);
	return 0;
}

static struct proc_key proc_key_of(const struct task_name *name)
{
	struct proc_key k = {name->tgid, name->start_ns};

	return k;
}

/* A new task: one more of its process lives. */
static int count_in(struct differ *d, const struct task_name *name)
{
	struct proc_key k = proc_key_of(name);
	struct proc_state *p = map_put(&d->procs, &k, NULL);

	if (!p)
		return -ENOMEM;
	p->live++;
	return 0;
}

static int count_out(struct differ *d, struct interval *iv, const struct task_name *name)
{
	struct proc_key k = proc_key_of(name);
	struct proc_state *p = map_get(&d->procs, &k);
	struct proc_id proc = {name->tgid, name->start_ns};

	if (p) {
		if (p->live)
			p->live--;
		p->last_died |= (name->flags & TASK_LAST) != 0;
	}
	return d->threads ? add_gone(iv, proc, name->tid) : 0;
}

static int take_entry(struct differ *d, struct interval *iv, const struct task_entry *e,
		      uint32_t self)
{
	struct task_state *t;
	bool fresh;
	uint32_t i;
	int err;

	t = states_make(&d->tasks, e->serial, &fresh);
	if (!t)
		return -ENOMEM;
	if (fresh) {
		err = count_in(d, &e->name);
		if (err)
			return err;
	} else if (t->name.start_ns != e->name.start_ns || t->name.tgid != e->name.tgid) {
		/* Cannot happen: exec keeps both.  Counts stay right if it does. */
		struct proc_key k = proc_key_of(&t->name);
		struct proc_state *p = map_get(&d->procs, &k);

		if (p && p->live)
			p->live--;
		err = count_in(d, &e->name);
		if (err)
			return err;
	}
	t->name = e->name;
	t->seen = true;
	for (i = 0; i < e->nr; i++) {
		uint64_t n = e->slots[i].count - t->counts[i];

		if (e->slots[i].count <= t->counts[i])
			continue; /* a slot read while it was being made */
		err = add_calls(d, iv, &e->name, &e->slots[i], n, self);
		if (err)
			return err;
		t->keys[i] = e->slots[i].key;
		t->counts[i] = e->slots[i].count;
		t->since[i] += d->started ? n : 0;
	}
	if (e->name.flags & TASK_DEAD) {
		t->dead = true;
		return count_out(d, iv, &e->name);
	}
	return 0;
}

static int take_overflow(struct differ *d, struct interval *iv, const struct sample_overflow *o,
			 uint32_t self)
{
	struct slot slot = {o->key.key, o->value.count, o->value.where};
	const struct task_state *t = states_find(&d->tasks, o->key.serial);
	struct overflow_state *before;
	uint64_t n;

	if (!t && !o->orphan)
		return 0; /* its entry comes with the next sample, and so does this */
	if (!t || t->dead || o->orphan) { /* final, and gone from the kernel */
		before = map_get(&d->overflow, &o->key);
		n = slot.count - (before ? before->count : 0);
		map_remove(&d->overflow, &o->key);
		if (t)
			return add_calls(d, iv, &t->name, &slot, n, self);
		iv->missed += n; /* nothing says whose they were */
		return 0;
	}
	before = map_put(&d->overflow, &o->key, NULL);
	if (!before)
		return -ENOMEM;
	n = slot.count - before->count;
	before->count = slot.count;
	before->since += d->started ? n : 0;
	return add_calls(d, iv, &t->name, &slot, n, self);
}

/* Forgets the tasks that died in this sample. */
static void drop_dead(struct differ *d, const struct sample *s)
{
	const struct task_entry *e;

	for (e = sample_first(s); e; e = sample_next(s, e)) {
		struct task_state *t =
		    e->name.flags & TASK_DEAD ? states_find(&d->tasks, e->serial) : NULL;

		if (t)
			states_drop(&d->tasks, t);
	}
}

/* After a complete sample: forgets tasks that are not in it.  Their last
 * entries were lost, which the collector has counted. */
static int drop_unseen(struct differ *d, struct interval *iv)
{
	int err = 0;

	for (size_t i = 0; !err && i < d->tasks.nr; i++) {
		struct task_state *t = &d->tasks.all[i];

		if (!t->serial || t->seen)
			continue;
		err = count_out(d, iv, &t->name);
		if (!err)
			states_drop(&d->tasks, t);
	}
	return err;
}

static void mark_unseen(struct differ *d)
{
	for (size_t i = 0; i < d->tasks.nr; i++)
		d->tasks.all[i].seen = false;
}

/* Processes that are gone: the kernel said so, or none of the known threads
 * lives and /proc has no such process. */
static int drop_procs(struct differ *d, struct interval *iv)
{
	const struct proc_key *k;
	const void *key;
	struct proc_state *p;
	size_t at = 0, first = iv->nr_gone, i;
	int err = 0;

	while (!err && (p = map_each(&d->procs, &at, &key))) {
		struct proc_id proc;

		if (p->live)
			continue;
		k = key;
		memset(&proc, 0, sizeof(proc));
		proc.pid = (uint32_t)k->pid;
		proc.start_ns = k->start_ns;
		if (p->last_died || (d->alive && !d->alive(proc)))
			err = add_gone(iv, proc, 0);
	}
	for (i = first; i < iv->nr_gone; i++) {
		struct proc_key dead = {iv->gone[i].proc.pid, iv->gone[i].proc.start_ns};

		map_remove(&d->procs, &dead);
	}
	return err;
}

static void mark_exited(struct differ *d, struct interval *iv)
{
	struct map gone;
	struct {
		struct proc_key proc;
		uint64_t tid;
	} k;
	size_t i;

	if (!iv->nr_gone || !iv->nr)
		return;
	map_init(&gone, sizeof(k), 1);
	for (i = 0; i < iv->nr_gone; i++) {
		k.proc.pid = iv->gone[i].proc.pid;
		k.proc.start_ns = iv->gone[i].proc.start_ns;
		k.tid = iv->gone[i].tid;
		map_put(&gone, &k, NULL); /* without memory the mark comes an interval late */
	}
	for (i = 0; i < iv->nr; i++) {
		struct record *r = &iv->records[i];

		k.proc.pid = r->proc.pid;
		k.proc.start_ns = r->proc.start_ns;
		k.tid = d->threads ? r->tid : 0;
		r->exited = map_get(&gone, &k) != NULL;
	}
	map_free(&gone);
}

int differ_step(struct differ *d, const struct sample *s, uint32_t self, struct interval *iv)
{
	const struct task_entry *e;
	size_t i, died = 0;
	int err = 0;

	iv->nr = iv->nr_gone = 0;
	iv->end = s->wall;
	iv->seconds = d->started ? (double)(s->mono_ns - d->mono_ns) / 1e9 : 0;
	iv->host_calls = s->host_calls - d->host_calls;
	iv->page_calls = 0;
	iv->missed = s->missed - d->missed;
	map_clear(&d->records);
	d->last = SIZE_MAX;
	states_begin(&d->tasks);
	if (s->complete)
		mark_unseen(d);
	for (e = sample_first(s); !err && e; e = sample_next(s, e)) {
		err = take_entry(d, iv, e, self);
		died += (e->name.flags & TASK_DEAD) != 0;
	}
	for (i = 0; !err && i < s->nr_overflow; i++)
		err = take_overflow(d, iv, &s->overflow[i], self);
	if (err)
		return err;
	if (died)
		drop_dead(d, s);
	if (s->complete)
		err = drop_unseen(d, iv);
	if (!err)
		err = drop_procs(d, iv);
	if (err)
		return err;
	mark_exited(d, iv);
	d->mono_ns = s->mono_ns;
	d->host_calls = s->host_calls;
	d->missed = s->missed;
	if (!d->started) {
		d->started = true;
		iv->nr = iv->nr_gone = 0;
		iv->host_calls = iv->page_calls = iv->missed = 0;
	}
	return 0;
}

int differ_totals(struct differ *d, uint32_t self, struct interval *iv)
{
	const bool threads = d->threads;
	const struct overflow_state *o;
	const struct task_state *t;
	size_t at = 0;
	const void *key = NULL;
	int err = 0;

	iv->nr = iv->nr_gone = 0;
	iv->seconds = 0;
	map_clear(&d->records);
	d->last = SIZE_MAX;
	d->threads = true;
	for (t = d->tasks.all; !err && t < d->tasks.all + d->tasks.nr; t++)
		for (size_t i = 0; t->serial && !err && i < NR_SLOTS; i++) {
			const struct slot slot = {.key = t->keys[i]};

			err = add_calls(d, iv, &t->name, &slot, t->since[i], self);
		}
	while (!err && (o = map_each(&d->overflow, &at, &key))) {
		const struct overflow_key *k = key;
		const struct slot slot = {.key = k->key};

		t = states_find(&d->tasks, k->serial);
		if (t)
			err = add_calls(d, iv, &t->name, &slot, o->since, self);
	}
	d->threads = threads;
	return err;
}
