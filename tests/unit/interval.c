// SPDX-License-Identifier: GPL-2.0-only
/* Differences of samples: exact whatever threads, execs, reuse and order do. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fold.h"
#include "interval.h"

#define SECOND 1000000000ULL

static uint64_t key(enum call call, enum via via, unsigned int outcome, int32_t clock)
{
	return KEY_USED | (uint64_t)outcome << KEY_OUTCOME_SHIFT | (uint64_t)via << KEY_VIA_SHIFT |
	       (uint64_t)call << KEY_CALL_SHIFT | (uint32_t)clock;
}

struct task {
	uint64_t serial;
	uint32_t tgid, tid;
	uint64_t start_ns;
	uint32_t flags;
	struct slot slots[NR_SLOTS];
};

struct fixture {
	struct differ *d;
	struct sample s;
	struct interval iv;
};

/* The next sample, empty. */
static void begin(struct fixture *f, uint64_t seconds)
{
	f->s.bytes = f->s.nr_overflow = 0;
	f->s.complete = false;
	f->s.mono_ns = seconds * SECOND;
	f->s.host_calls = seconds * 100;
	f->s.missed = 0;
}

static void put(struct sample *s, const struct task *t)
{
	struct task_entry e = {.serial = t->serial};

	e.name.tgid = t->tgid;
	e.name.tid = t->tid;
	e.name.start_ns = t->start_ns;
	e.name.flags = t->flags;
	strcpy(e.name.comm, "main");
	strcpy(e.name.thread, "worker");
	while (e.nr < NR_SLOTS && t->slots[e.nr].key) {
		e.slots[e.nr] = t->slots[e.nr];
		e.nr++;
	}
	s->room = s->bytes + sizeof(e);
	s->entries = realloc(s->entries, s->room);
	assert_non_null(s->entries);
	memcpy(s->entries + s->bytes, &e, sample_entry_size(&e));
	s->bytes += sample_entry_size(&e);
}

static void put_overflow(struct sample *s, uint64_t serial, uint64_t k, uint64_t count)
{
	struct sample_overflow *o;

	s->overflow = realloc(s->overflow, (s->nr_overflow + 1) * sizeof(*s->overflow));
	assert_non_null(s->overflow);
	o = &s->overflow[s->nr_overflow++];
	memset(o, 0, sizeof(*o));
	o->key.serial = serial;
	o->key.key = k;
	o->value.count = count;
}

static bool nobody_lives(struct proc_id proc)
{
	(void)proc;
	return false;
}

static void step(struct fixture *f)
{
	assert_int_equal(differ_step(f->d, &f->s, 0, &f->iv), 0);
}

static void start(struct fixture *f, bool threads, differ_alive_fn alive)
{
	sample_init(&f->s);
	interval_init(&f->iv);
	f->d = differ_new(threads, alive);
	assert_non_null(f->d);
	begin(f, 1);
	step(f);
	assert_int_equal(f->iv.nr, 0);
	begin(f, 2);
}

static void finish(struct fixture *f)
{
	differ_free(f->d);
	sample_free(&f->s);
	interval_free(&f->iv);
}

static void counts_are_differences(void **state)
{
	struct task t = {7, 100, 100, 5, 0, {{key(2, 0, 0, 2), 10, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, NULL);
	put(&f.s, &t);
	step(&f);
	assert_int_equal(f.iv.nr, 1);
	assert_int_equal(f.iv.records[0].calls.count, 10);
	assert_int_equal(f.iv.host_calls, 100);
	assert_true(f.iv.seconds == 1.0);

	begin(&f, 4);
	t.slots[0].count = 25;
	put(&f.s, &t);
	step(&f);
	assert_int_equal(f.iv.records[0].calls.count, 15);
	assert_true(f.iv.seconds == 2.0);

	begin(&f, 5); /* unchanged tasks are not in the sample */
	step(&f);
	assert_int_equal(f.iv.nr, 0);
	finish(&f);
}

static void calls_before_the_first_sample_do_not_count(void **state)
{
	struct task t = {7, 100, 100, 5, 0, {{key(2, 0, 0, 2), 10, 0}}};
	struct fixture f;

	(void)state;
	sample_init(&f.s);
	interval_init(&f.iv);
	f.d = differ_new(false, NULL);
	begin(&f, 1);
	put(&f.s, &t);
	step(&f);
	assert_int_equal(f.iv.nr, 0);
	assert_int_equal(f.iv.host_calls, 0);
	begin(&f, 2);
	t.slots[0].count = 11;
	put(&f.s, &t);
	step(&f);
	assert_int_equal(f.iv.records[0].calls.count, 1);
	finish(&f);
}

static void outcomes_become_errors_of_one_record(void **state)
{
	struct task t = {7,
			 100,
			 100,
			 5,
			 0,
			 {{key(2, 1, 0, 99), 1, 0},
			  {key(2, 1, 22, 99), 20, 0},
			  {key(2, 1, 14, 99), 3, 0},
			  {key(2, 1, OUTCOME_ROLLED_BACK, 99), 4, 0},
			  {key(2, 1, 1, 99), 5, 0}}};
	struct fixture f;
	struct tally *c;

	(void)state;
	start(&f, false, NULL);
	put(&f.s, &t);
	step(&f);
	assert_int_equal(f.iv.nr, 1);
	c = &f.iv.records[0].calls;
	assert_int_equal(c->count, 33);
	assert_int_equal(c->errors, 32);
	assert_int_equal(c->einval, 20);
	assert_int_equal(c->efault, 3);
	assert_int_equal(c->rolled_back, 4);
	assert_int_equal(c->other, 5);
	finish(&f);
}

static void a_task_in_both_lists_counts_once(void **state)
{
	struct task t = {7, 100, 100, 5, 0, {{key(0, 0, 0, 0), 10, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, NULL);
	put(&f.s, &t);
	t.flags = TASK_DEAD | TASK_LAST;
	t.slots[0].count = 13;
	put(&f.s, &t);
	step(&f);
	assert_int_equal(f.iv.nr, 1);
	assert_int_equal(f.iv.records[0].calls.count, 13);
	assert_true(f.iv.records[0].exited);
	assert_int_equal(f.iv.nr_gone, 1);
	finish(&f);
}

static void a_pid_used_twice_is_two_processes(void **state)
{
	struct task first = {7, 100, 100, 5, TASK_DEAD | TASK_LAST, {{key(0, 0, 0, 0), 10, 0}}};
	struct task second = {8, 100, 100, 6, 0, {{key(0, 0, 0, 0), 4, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, NULL);
	put(&f.s, &second);
	put(&f.s, &first);
	step(&f);
	assert_int_equal(f.iv.nr, 2);
	assert_int_equal(f.iv.records[0].calls.count, 4);
	assert_false(f.iv.records[0].exited);
	assert_int_equal(f.iv.records[1].calls.count, 10);
	assert_true(f.iv.records[1].exited);
	finish(&f);
}

static void threads_add_up_or_stand_alone(void **state)
{
	struct task a = {7, 100, 100, 5, 0, {{key(2, 0, 0, 2), 10, 0}}};
	struct task b = {8, 100, 101, 5, TASK_DEAD, {{key(2, 0, 0, 2), 4, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, NULL);
	put(&f.s, &a);
	put(&f.s, &b);
	step(&f);
	assert_int_equal(f.iv.nr, 1);
	assert_int_equal(f.iv.records[0].calls.count, 14);
	assert_string_equal(f.iv.records[0].comm, "main");
	assert_int_equal(f.iv.nr_gone, 0);
	finish(&f);

	start(&f, true, NULL);
	put(&f.s, &a);
	put(&f.s, &b);
	step(&f);
	assert_int_equal(f.iv.nr, 2);
	assert_int_equal(f.iv.records[1].tid, 101);
	assert_string_equal(f.iv.records[1].comm, "worker");
	assert_true(f.iv.records[1].exited);
	assert_false(f.iv.records[0].exited);
	assert_int_equal(f.iv.nr_gone, 1);
	assert_int_equal(f.iv.gone[0].tid, 101);
	finish(&f);
}

static void overflow_belongs_to_its_task(void **state)
{
	struct task t = {7, 100, 100, 5, 0, {{key(2, 1, 0, 30), 1, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, NULL);
	put_overflow(&f.s, 7, key(2, 1, 22, 31), 5); /* its task is not known yet */
	step(&f);
	assert_int_equal(f.iv.nr, 0);

	begin(&f, 3);
	put(&f.s, &t);
	put_overflow(&f.s, 7, key(2, 1, 22, 31), 6);
	step(&f);
	assert_int_equal(f.iv.nr, 2);
	assert_int_equal(f.iv.records[1].clock, 31);
	assert_int_equal(f.iv.records[1].calls.count, 6);

	begin(&f, 4);
	t.flags = TASK_DEAD | TASK_LAST;
	put(&f.s, &t);
	put_overflow(&f.s, 7, key(2, 1, 22, 31), 8);
	put_overflow(&f.s, 7, key(2, 1, 22, 32), 1);
	step(&f);
	assert_int_equal(f.iv.nr, 2);
	assert_int_equal(f.iv.records[0].calls.count, 2);
	assert_int_equal(f.iv.records[1].calls.count, 1);
	finish(&f);
}

/* A view that changes to threads asks what each of them did until then. */
static void totals_of_threads_are_since_the_start(void **state)
{
	struct task a = {7, 100, 100, 5, 0, {{key(2, 0, 0, 2), 10, 0}}};
	struct task b = {8, 100, 101, 5, 0, {{key(2, 0, 0, 2), 4, 0}}};
	struct fixture f;

	(void)state;
	sample_init(&f.s);
	interval_init(&f.iv);
	f.d = differ_new(false, NULL);
	assert_non_null(f.d);
	begin(&f, 1);
	put(&f.s, &a); /* its first 10 were made before the start */
	step(&f);

	begin(&f, 2);
	a.slots[0].count = 11;
	a.slots[1] = (struct slot){key(2, 0, EINVAL, 99), 7, 0};
	put(&f.s, &a);
	put(&f.s, &b);
	put_overflow(&f.s, 8, key(2, 1, 0, 33), 5);
	step(&f);
	begin(&f, 3);
	a.slots[0].count = 13;
	put(&f.s, &a);
	put_overflow(&f.s, 8, key(2, 1, 0, 33), 6);
	step(&f);
	assert_int_equal(f.iv.nr, 2);

	assert_int_equal(differ_totals(f.d, 0, &f.iv), 0);
	assert_int_equal(f.iv.nr, 4);
	for (size_t i = 0; i < f.iv.nr; i++) {
		const struct record *r = &f.iv.records[i];
		uint64_t expected = r->clock == 99 ? 7 : r->clock == 33 ? 6 : r->tid == 100 ? 3 : 4;

		assert_int_equal(r->calls.count, expected);
		assert_int_equal(r->calls.errors, r->clock == 99 ? 7 : 0);
		assert_int_equal(r->tid, r->clock == 33 ? 101 : r->clock == 99 ? 100 : r->tid);
		assert_string_equal(r->comm, "worker");
		assert_string_equal(r->process, "main");
	}

	/* asking changed nothing */
	begin(&f, 4);
	a.slots[0].count = 14;
	put(&f.s, &a);
	step(&f);
	assert_int_equal(f.iv.nr, 1);
	assert_int_equal(f.iv.records[0].calls.count, 1);
	assert_int_equal(f.iv.records[0].tid, 0);
	assert_int_equal(differ_totals(f.d, 100, &f.iv), 0);
	assert_int_equal(f.iv.nr, 0); /* that is oneself */
	finish(&f);
}

static void records_of_threads_fold_to_their_processes(void **state)
{
	struct task a = {7, 100, 100, 5, 0, {{key(2, 0, 0, 2), 10, 111}, {key(2, 0, 0, 3), 1, 0}}};
	struct task b = {8, 100, 101, 5, TASK_DEAD, {{key(2, 0, EINVAL, 2), 20, 222}}};
	struct interval folded;
	struct fixture f;

	(void)state;
	interval_init(&folded);
	start(&f, true, NULL);
	put(&f.s, &a);
	put(&f.s, &b);
	step(&f);
	assert_int_equal(f.iv.nr, 3);
	f.iv.records[2].cause = CAUSE_INVALID_CLOCK;
	assert_int_equal(interval_fold(&f.iv, &folded), 0);
	assert_int_equal(folded.nr, 2);
	assert_true(folded.seconds == f.iv.seconds);
	assert_int_equal(folded.host_calls, f.iv.host_calls);
	assert_int_equal(folded.records[0].calls.count, 30);
	assert_int_equal(folded.records[0].calls.errors, 20);
	assert_int_equal(folded.records[0].where, 222);
	assert_int_equal(folded.records[0].cause, CAUSE_INVALID_CLOCK);
	assert_int_equal(folded.records[0].tid, 0);
	assert_string_equal(folded.records[0].comm, "main");
	assert_int_equal(folded.records[1].calls.count, 1);
	interval_free(&folded);
	finish(&f);
}

static void own_calls_are_left_out(void **state)
{
	struct task t = {7, 100, 100, 5, 0, {{key(2, 0, 0, 2), 10, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, NULL);
	put(&f.s, &t);
	assert_int_equal(differ_step(f.d, &f.s, 100, &f.iv), 0);
	assert_int_equal(f.iv.nr, 0);
	finish(&f);
}

static void a_process_whose_known_threads_died_is_asked_for(void **state)
{
	struct task t = {8, 100, 101, 5, TASK_DEAD, {{key(2, 0, 0, 2), 4, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, nobody_lives);
	put(&f.s, &t);
	step(&f);
	assert_int_equal(f.iv.nr_gone, 1);
	assert_int_equal(f.iv.gone[0].proc.pid, 100);
	assert_int_equal(f.iv.gone[0].tid, 0);
	finish(&f);
}

static void lost_tasks_are_forgotten_after_a_complete_sample(void **state)
{
	struct task a = {7, 100, 100, 5, 0, {{key(2, 0, 0, 2), 10, 0}}};
	struct task b = {8, 200, 200, 6, 0, {{key(2, 0, 0, 2), 10, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, nobody_lives);
	put(&f.s, &a);
	put(&f.s, &b);
	step(&f);
	assert_int_equal(f.iv.nr, 2);
	begin(&f, 3);
	f.s.complete = true;
	f.s.missed = 9;
	put(&f.s, &b);
	step(&f);
	assert_int_equal(f.iv.nr, 0);
	assert_int_equal(f.iv.missed, 9);
	assert_int_equal(f.iv.nr_gone, 1);
	assert_int_equal(f.iv.gone[0].proc.pid, 100);
	finish(&f);
}

/* What was counted of a task's overflowed keys before its end was lost is not
 * missing. */
static void an_orphan_misses_only_what_was_not_counted(void **state)
{
	struct task t = {7, 100, 100, 5, 0, {{key(2, 1, 0, 30), 1, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, nobody_lives);
	put(&f.s, &t);
	put_overflow(&f.s, 7, key(2, 1, 22, 31), 5);
	step(&f);
	assert_int_equal(f.iv.nr, 2);

	/* It exits while a complete sample is taken. */
	begin(&f, 3);
	f.s.complete = true;
	put_overflow(&f.s, 7, key(2, 1, 22, 31), 7);
	step(&f);
	assert_int_equal(f.iv.nr, 1);
	assert_int_equal(f.iv.records[0].calls.count, 2);
	assert_int_equal(f.iv.nr_gone, 1);

	begin(&f, 4);
	f.s.complete = true;
	put_overflow(&f.s, 7, key(2, 1, 22, 31), 8);
	f.s.overflow[0].orphan = true;
	step(&f);
	assert_int_equal(f.iv.nr, 0);
	assert_int_equal(f.iv.missed, 1);
	finish(&f);
}

/* The tracepoint that counts all syscalls does not see them. */
static void calls_through_the_vsyscall_page_are_summed(void **state)
{
	struct task t = {7, 100, 100, 5, 0, {{key(1, VIA_VSYSCALL, 0, 0), 10, 0}}};
	struct fixture f;

	(void)state;
	start(&f, false, NULL);
	put(&f.s, &t);
	step(&f);
	assert_int_equal(f.iv.page_calls, 10);
	begin(&f, 3);
	t.slots[0].count = 14;
	t.slots[1] = (struct slot){key(2, VIA_DIRECT, 0, 2), 5, 0};
	put(&f.s, &t);
	step(&f);
	assert_int_equal(f.iv.page_calls, 4);
	begin(&f, 4);
	step(&f);
	assert_int_equal(f.iv.page_calls, 0);
	finish(&f);
}

static void a_truncated_sample_ends_early(void **state)
{
	struct task t = {7, 100, 100, 5, 0, {{key(2, 0, 0, 2), 10, 0}}};
	struct sample s;

	(void)state;
	sample_init(&s);
	put(&s, &t);
	put(&s, &t);
	assert_non_null(sample_next(&s, sample_first(&s)));
	s.bytes -= 1;
	assert_non_null(sample_first(&s));
	assert_null(sample_next(&s, sample_first(&s)));
	s.bytes = 8;
	assert_null(sample_first(&s));
	sample_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(counts_are_differences),
	    cmocka_unit_test(calls_before_the_first_sample_do_not_count),
	    cmocka_unit_test(outcomes_become_errors_of_one_record),
	    cmocka_unit_test(a_task_in_both_lists_counts_once),
	    cmocka_unit_test(a_pid_used_twice_is_two_processes),
	    cmocka_unit_test(threads_add_up_or_stand_alone),
	    cmocka_unit_test(overflow_belongs_to_its_task),
	    cmocka_unit_test(totals_of_threads_are_since_the_start),
	    cmocka_unit_test(records_of_threads_fold_to_their_processes),
	    cmocka_unit_test(own_calls_are_left_out),
	    cmocka_unit_test(a_process_whose_known_threads_died_is_asked_for),
	    cmocka_unit_test(lost_tasks_are_forgotten_after_a_complete_sample),
	    cmocka_unit_test(an_orphan_misses_only_what_was_not_counted),
	    cmocka_unit_test(calls_through_the_vsyscall_page_are_summed),
	    cmocka_unit_test(a_truncated_sample_ends_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
