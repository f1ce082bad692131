// SPDX-License-Identifier: GPL-2.0-only
/* The wall clock is stepped in the middle of a run: lengths and rates are of
 * the monotonic clock, and only the time that is written is the wall's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "columns.h"
#include "interval.h"

#define SECOND 1000000000ULL
#define DAY 86400

struct fixture {
	struct differ *differ;
	struct sample sample;
	struct interval interval;
	struct task_entry task;
};

/* A sample in which the task has made so many calls. */
static void take(struct fixture *f, time_t wall, uint64_t mono_s, uint64_t calls)
{
	f->sample.wall.tv_sec = wall;
	f->sample.mono_ns = mono_s * SECOND;
	f->task.nr = 1;
	f->task.slots[0].key = KEY_USED | (uint64_t)CALL_CLOCK_GETTIME << KEY_CALL_SHIFT;
	f->task.slots[0].count = calls;
	f->sample.bytes = f->sample.room = sample_entry_size(&f->task);
	f->sample.entries = realloc(f->sample.entries, f->sample.room);
	assert_non_null(f->sample.entries);
	memcpy(f->sample.entries, &f->task, f->sample.bytes);
	assert_int_equal(differ_step(f->differ, &f->sample, 1, &f->interval), 0);
}

static void check_column(const struct fixture *f, const char *name, const char *want)
{
	struct row_source row = {.interval = &f->interval, .record = f->interval.records};
	struct buffer value = {0};

	for (size_t i = 0; i < nr_columns; i++)
		if (strcmp(columns[i].name, name) == 0)
			columns[i].print(&value, &row);
	assert_string_equal(buffer_string(&value), want);
	buffer_free(&value);
}

static void check_step(const struct fixture *f, const char *time)
{
	assert_int_equal(f->interval.nr, 1);
	check_column(f, "time", time);
	check_column(f, "interval_s", "2.000000000");
	check_column(f, "count", "100");
	check_column(f, "rate", "50.000");
}

static void rates_do_not_follow_the_wall_clock(void **state)
{
	struct fixture f = {.task = {.serial = 1, .name = {.start_ns = 1, .tgid = 42, .tid = 42}}};
	time_t wall = 20 * 365 * DAY;

	(void)state;
	f.differ = differ_new(false, NULL);
	assert_non_null(f.differ);
	sample_init(&f.sample);
	interval_init(&f.interval);
	take(&f, wall, 1000, 50);
	take(&f, wall + 2, 1002, 150);
	check_step(&f, "1989-12-27T00:00:02.000000Z");
	take(&f, wall + 4 - DAY, 1004, 250); /* back by a day */
	check_step(&f, "1989-12-26T00:00:04.000000Z");
	take(&f, wall + 6 + DAY, 1006, 350); /* and on by two */
	check_step(&f, "1989-12-28T00:00:06.000000Z");
	take(&f, wall + 8, 1008, 450);
	check_step(&f, "1989-12-27T00:00:08.000000Z");
	sample_free(&f.sample);
	interval_free(&f.interval);
	differ_free(f.differ);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rates_do_not_follow_the_wall_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
