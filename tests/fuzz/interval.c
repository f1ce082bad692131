// SPDX-License-Identifier: GPL-2.0-only
/*
 * A model of the kernel side, driven by the input, and the program's side for
 * real: tasks are made, call, exit, and are lost at any moment, also while a
 * sample is taken.  No call may be counted twice or under another name, and in
 * the end what was counted and what is missing are what was made.
 */
#include <bpf/bpf.h>
#include <errno.h>

#include "fuzz.h"
#include "interval.h"
#include "overflow.h"

#define TASKS 24
#define PROCESSES 4
#define KEYS 12
#define MAX_DEAD 3
#define MAX_OVERFLOW 8

struct task {
	bool used, alive;
	struct task_entry entry;
	uint64_t overflowed, reported, reported_overflowed;
};

static struct {
	const uint8_t *data;
	size_t left;
	/* The kernel. */
	struct task tasks[TASKS];
	struct task_entry dead[MAX_DEAD];
	size_t nr_dead;
	struct sample_overflow overflow[MAX_OVERFLOW];
	size_t nr_overflow;
	uint64_t serials, lost, unburied;
	/* What is true. */
	uint64_t made[PROCESSES][KEYS], all_made;
	/* The program. */
	uint64_t unburied_before;
	struct overflow_list before;
	struct differ *differ;
	struct sample sample;
	struct interval interval;
	uint64_t counted[PROCESSES][KEYS], all_counted, missed;
} m;

/* These stand in for the system call. */
int bpf_map_lookup_batch(int fd, void *in, void *out, void *keys, void *values, __u32 *count,
			 const struct bpf_map_batch_opts *opts)
{
	(void)fd, (void)in, (void)out, (void)opts;
	CHECK(*count >= m.nr_overflow);
	for (size_t i = 0; i < m.nr_overflow; i++) {
		((struct overflow_key *)keys)[i] = m.overflow[i].key;
		((struct overflow_value *)values)[i] = m.overflow[i].value;
	}
	*count = (__u32)m.nr_overflow;
	return -ENOENT;
}

int bpf_map_delete_elem(int fd, const void *key)
{
	(void)fd;
	for (size_t i = 0; i < m.nr_overflow; i++)
		if (memcmp(&m.overflow[i].key, key, sizeof(struct overflow_key)) == 0) {
			m.overflow[i] = m.overflow[--m.nr_overflow];
			return 0;
		}
	return -ENOENT;
}

static uint8_t next_byte(void)
{
	if (!m.left)
		return 0;
	m.left--;
	return *m.data++;
}

static uint64_t key_of(unsigned int k)
{
	return KEY_USED | (uint64_t)CALL_CLOCK_GETTIME << KEY_CALL_SHIFT | k;
}

static void new_task(unsigned int process)
{
	for (struct task *t = m.tasks; t < m.tasks + TASKS; t++) {
		if (t->used)
			continue;
		memset(t, 0, sizeof(*t));
		t->used = t->alive = true;
		t->entry.serial = ++m.serials;
		t->entry.name.tgid = 100 + process;
		t->entry.name.start_ns = 1000 + process;
		t->entry.name.tid = 100 + (uint32_t)m.serials;
		return;
	}
}

static bool call_overflow(struct task *t, uint64_t key)
{
	for (size_t i = 0; i < m.nr_overflow; i++)
		if (m.overflow[i].key.serial == t->entry.serial && m.overflow[i].key.key == key) {
			m.overflow[i].value.count++;
			return true;
		}
	if (m.nr_overflow == MAX_OVERFLOW)
		return false;
	m.overflow[m.nr_overflow++] =
	    (struct sample_overflow){{t->entry.serial, key}, {1, 0}, false};
	return true;
}

static void call(struct task *t, unsigned int k)
{
	uint64_t key = key_of(k);

	if (!t->alive)
		return;
	m.made[t->entry.name.tgid - 100][k]++;
	m.all_made++;
	for (uint32_t i = 0; i < NR_SLOTS; i++) {
		if (i == t->entry.nr)
			t->entry.slots[t->entry.nr++].key = key;
		if (t->entry.slots[i].key == key) {
			t->entry.slots[i].count++;
			return;
		}
	}
	if (call_overflow(t, key))
		t->overflowed++;
	else
		m.lost++;
}

static uint64_t in_slots(const struct task *t)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < t->entry.nr; i++)
		n += t->entry.slots[i].count;
	return n;
}

static void end_task(struct task *t)
{
	bool last = true;

	if (!t->alive)
		return;
	t->used = t->alive = false;
	for (const struct task *other = m.tasks; other < m.tasks + TASKS; other++)
		last &= !other->alive || other->entry.name.tgid != t->entry.name.tgid;
	t->entry.name.flags |= TASK_DEAD | (last ? TASK_LAST : 0);
	if (!t->entry.nr)
		return; /* it never called: it has no record */
	if (m.nr_dead < MAX_DEAD) {
		m.dead[m.nr_dead++] = t->entry;
	} else {
		m.lost += in_slots(t) - t->reported;
		m.unburied++;
	}
}

/* One thing that happens. */
static void happen(void)
{
	uint8_t what = next_byte();
	struct task *t = &m.tasks[next_byte() % TASKS];

	if (what < 40)
		new_task(what % PROCESSES);
	else if (what < 90)
		end_task(t);
	else
		call(t, what % KEYS);
}

/* … while the program is busy. */
static void meanwhile(void)
{
	for (uint8_t n = next_byte() % 4; n && m.left; n--)
		happen();
}

static void add_entry(struct sample *s, const struct task_entry *e)
{
	size_t size = sample_entry_size(e);

	CHECK(s->bytes + size <= s->room);
	memcpy(s->entries + s->bytes, e, size);
	s->bytes += size;
}

static void take_sample(struct sample *s)
{
	struct overflow_list list = {.items = s->overflow, .room = s->overflow_room};

	s->bytes = 0;
	s->nr_overflow = 0;
	s->mono_ns += 1000000000;
	s->complete = m.unburied != m.unburied_before;
	m.unburied_before = m.unburied;
	if (s->complete)
		CHECK(overflow_read(-1, &m.before) == 0);
	meanwhile();
	for (struct task *t = m.tasks; t < m.tasks + TASKS; t++) {
		uint64_t n = in_slots(t);

		if (!t->alive || !t->entry.nr ||
		    (n == t->reported && t->overflowed == t->reported_overflowed && !s->complete))
			continue;
		add_entry(s, &t->entry);
		t->reported = n;
		t->reported_overflowed = t->overflowed;
		meanwhile();
	}
	while (m.nr_dead)
		add_entry(s, &m.dead[--m.nr_dead]);
	meanwhile();
	CHECK(overflow_read(-1, &list) == 0);
	s->overflow = list.items;
	s->overflow_room = list.room;
	s->nr_overflow = list.nr;
	meanwhile();
	CHECK(overflow_settle(-1, s, &m.before) == 0);
	s->missed = m.lost;
}

static void step(void)
{
	take_sample(&m.sample);
	CHECK(differ_step(m.differ, &m.sample, 0, &m.interval) == 0);
	m.missed += m.interval.missed;
	for (size_t i = 0; i < m.interval.nr; i++) {
		const struct record *r = &m.interval.records[i];
		unsigned int process = r->proc.pid - 100;

		CHECK(process < PROCESSES && r->proc.start_ns == 1000 + process);
		CHECK(r->clock >= 0 && r->clock < KEYS && r->calls.count > 0);
		m.counted[process][r->clock] += r->calls.count;
		m.all_counted += r->calls.count;
		CHECK(m.counted[process][r->clock] <= m.made[process][r->clock]);
	}
	CHECK(m.all_counted + m.missed <= m.all_made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	memset(&m, 0, sizeof(m));
	m.differ = differ_new(false, NULL);
	CHECK(m.differ != NULL);
	m.sample.room = (TASKS + MAX_DEAD) * 4 * sizeof(struct task_entry);
	m.sample.entries = malloc(m.sample.room);
	CHECK(m.sample.entries != NULL);
	step(); /* the start */
	m.data = data;
	m.left = size;
	while (m.left) {
		if (next_byte() < 32)
			step();
		else
			happen();
	}
	step();
	for (struct task *t = m.tasks; t < m.tasks + TASKS; t++)
		end_task(t);
	step();
	step();
	CHECK(m.all_counted + m.missed == m.all_made);
	CHECK(m.nr_overflow == 0 && m.nr_dead == 0);
	free(m.before.items);
	sample_free(&m.sample);
	interval_free(&m.interval);
	differ_free(m.differ);
	return 0;
}
