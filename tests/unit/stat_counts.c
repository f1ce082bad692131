// SPDX-License-Identifier: GPL-2.0-only
/* What stat adds up, and that sums stay exact when rows run out of room. */
#include "stat_counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A record of pid (started at pid * 10) named comm. */
static struct record record(uint32_t pid, const char *comm, enum call call, enum via via,
			    uint64_t count)
{
	struct record r = {
	    .proc = {.pid = pid, .start_ns = pid * 10},
	    .call = call,
	    .via = via,
	    .calls = {.count = count, .errors = count / 10},
	};

	snprintf(r.comm, sizeof(r.comm), "%s", comm);
	return r;
}

static struct interval interval(struct record *records, size_t nr)
{
	return (struct interval){.seconds = 0.5, .host_calls = 1000, .records = records, .nr = nr};
}

static void assert_sum(const struct stat_sum *s, uint64_t count, uint64_t errors,
		       uint64_t fallbacks)
{
	assert_int_equal(s->count, count);
	assert_int_equal(s->errors, errors);
	assert_int_equal(s->fallbacks, fallbacks);
}

static void test_events(void **state)
{
	struct record first[] = {
	    record(1, "a", CALL_CLOCK_GETTIME, VIA_VDSO, 10),
	    record(2, "b", CALL_CLOCK_GETTIME, VIA_DIRECT, 30),
	    record(2, "b", CALL_TIME, VIA_VSYSCALL, 7),
	};
	struct record second[] = {record(1, "a", CALL_CLOCK_GETTIME, VIA_VDSO, 100)};
	struct interval iv = interval(first, 3);
	struct stat_counts c;

	(void)state;
	stat_counts_init(&c, STAT_NO_ROWS);
	iv.missed = 3;
	assert_int_equal(stat_counts_add(&c, &iv), 0);
	assert_sum(&c.events[CALL_CLOCK_GETTIME].now, 40, 4, 10);
	assert_sum(&c.events[CALL_TIME].now, 7, 0, 0);
	assert_int_equal(c.missed, 3);

	iv = interval(second, 1);
	assert_int_equal(stat_counts_add(&c, &iv), 0);
	assert_sum(&c.events[CALL_CLOCK_GETTIME].now, 100, 10, 100);
	assert_sum(&c.events[CALL_CLOCK_GETTIME].total, 140, 14, 110);
	assert_sum(&c.events[CALL_TIME].now, 0, 0, 0);
	assert_sum(&c.events[CALL_TIME].total, 7, 0, 0);
	assert_int_equal(c.missed, 0);
	assert_int_equal(c.missed_total, 3);
	assert_int_equal(c.host, 1000);
	assert_int_equal(c.host_total, 2000);
	assert_true(c.seconds == 0.5 && c.elapsed == 1.0);
	assert_int_equal(c.rows.used, 0);
	stat_counts_free(&c);
}

/* Checks the rows of CALL_TIME: "pid/tid name count" each. */
static void assert_rows(const struct stat_counts *c, bool total, const char *expected)
{
	const struct stat_row **rows;
	char text[512] = "";
	size_t nr, len = 0;

	assert_int_equal(stat_counts_rows(c, CALL_TIME, total, &rows, &nr), 0);
	for (size_t i = 0; i < nr; i++)
		len += (size_t)snprintf(
		    text + len, sizeof(text) - len, "%u/%u %s %llu; ", rows[i]->proc.pid,
		    rows[i]->tid, rows[i]->name,
		    (unsigned long long)stat_event_sum(&rows[i]->events[CALL_TIME], total)->count);
	free(rows);
	assert_string_equal(text, expected);
}

static void test_rows(void **state)
{
	struct record first[] = {
	    record(1, "a", CALL_TIME, VIA_DIRECT, 5),
	    record(2, "b", CALL_TIME, VIA_DIRECT, 8),
	    record(1, "a", CALL_TIME, VIA_DIRECT, 2),
	    record(3, "a", CALL_TIME, VIA_DIRECT, 4),
	    record(3, "a", CALL_CLOCK_GETRES, VIA_DIRECT, 400),
	};
	/* pid 1 has a new name; pid 2 is another process of that pid */
	struct record second[] = {
	    record(1, "A", CALL_TIME, VIA_DIRECT, 1),
	    record(2, "b", CALL_TIME, VIA_DIRECT, 1),
	};
	const struct {
		enum stat_rows kind;
		const char *first, *second, *total;
	} cases[] = {
	    {STAT_PROCESSES, "2/0 b 8; 1/0 a 7; 3/0 a 4; ", "1/0 A 1; 2/0 b 1; ",
	     "1/0 A 8; 2/0 b 8; 3/0 a 4; 2/0 b 1; "},
	    {STAT_THREADS, "2/20 b 8; 1/10 a 5; 3/30 a 4; 1/11 a 2; ", "1/10 A 1; 2/20 b 1; ",
	     "2/20 b 8; 1/10 A 6; 3/30 a 4; 1/11 a 2; 2/20 b 1; "},
	    {STAT_COMMANDS, "0/0 a 11; 0/0 b 8; ", "0/0 A 1; 0/0 b 1; ",
	     "0/0 a 11; 0/0 b 9; 0/0 A 1; "},
	    {STAT_CONTAINERS, "0/0 0123456789ab 13; 0/0  6; ", "0/0  2; ",
	     "0/0 0123456789ab 13; 0/0  8; "},
	};

	(void)state;
	for (size_t i = 0; i < 5; i++)
		first[i].tid = first[i].proc.pid * 10 + (i == 2);
	second[0].tid = 10;
	second[1].tid = 20;
	second[1].proc.start_ns++;
	strcpy(first[0].container, "0123456789ab");
	strcpy(first[1].container, "0123456789ab");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct interval iv = interval(first, 5);
		struct stat_counts c;

		stat_counts_init(&c, cases[i].kind);
		assert_int_equal(stat_counts_add(&c, &iv), 0);
		assert_rows(&c, false, cases[i].first);
		iv = interval(second, 2);
		assert_int_equal(stat_counts_add(&c, &iv), 0);
		assert_rows(&c, false, cases[i].second);
		assert_rows(&c, true, cases[i].total);
		stat_counts_free(&c);
	}
}

/* Adds one interval of nr processes from pid `from` on, a call each; gone says
 * whether they exited in it. */
static void add_many(struct stat_counts *c, uint32_t from, size_t nr, bool gone)
{
	struct record *records = calloc(nr, sizeof(*records));
	struct gone *ends = calloc(nr, sizeof(*ends));
	struct interval iv = interval(records, nr);

	assert_non_null(records);
	assert_non_null(ends);
	for (size_t i = 0; i < nr; i++) {
		records[i] = record(from + (uint32_t)i, "many", CALL_TIME, VIA_VDSO, 1);
		ends[i].proc = records[i].proc;
	}
	iv.gone = ends;
	iv.nr_gone = gone ? nr : 0;
	assert_int_equal(stat_counts_add(c, &iv), 0);
	free(records);
	free(ends);
}

/* The sum over all rows, and the count of that of the others. */
static uint64_t sum_rows(const struct stat_counts *c, bool total, uint64_t *others)
{
	const struct stat_row **rows;
	uint64_t sum = 0;
	size_t nr;

	*others = 0;
	assert_int_equal(stat_counts_rows(c, CALL_TIME, total, &rows, &nr), 0);
	for (size_t i = 0; i < nr; i++) {
		uint64_t count = stat_event_sum(&rows[i]->events[CALL_TIME], total)->count;

		sum += count;
		if (rows[i]->others) {
			assert_string_equal(rows[i]->name, "(others)");
			assert_int_equal(i, nr - 1);
			*others = count;
		}
	}
	free(rows);
	return sum;
}

static void test_full(void **state)
{
	const size_t many = STAT_MAX_ROWS - 10;
	struct stat_counts c;
	uint64_t others;

	(void)state;
	stat_counts_init(&c, STAT_PROCESSES);
	/* Ten processes that stay, and as many as fit that come and go. */
	add_many(&c, 1, 10, false);
	for (uint32_t round = 0; round < 5; round++) {
		add_many(&c, 1000 + round * STAT_MAX_ROWS, many, true);
		assert_true(c.rows.used <= STAT_MAX_ROWS + 1);
		assert_int_equal(sum_rows(&c, false, &others), many);
		assert_int_equal(sum_rows(&c, true, &others), 10 + (round + 1) * many);
	}
	/* The ten are rows of their own still. */
	add_many(&c, 1, 10, false);
	assert_int_equal(sum_rows(&c, false, &others), 10);
	assert_int_equal(others, 0);
	assert_int_equal(sum_rows(&c, true, &others), 20 + 5 * many);
	assert_int_equal(c.events[CALL_TIME].total.count, 20 + 5 * many);

	/* More live ones than there is room for: one row for what is too much. */
	add_many(&c, 1000000, 2 * STAT_MAX_ROWS, false);
	assert_true(c.rows.used <= STAT_MAX_ROWS + 1);
	assert_int_equal(sum_rows(&c, false, &others), 2 * STAT_MAX_ROWS);
	assert_true(others >= STAT_MAX_ROWS);
	assert_int_equal(sum_rows(&c, true, &others), 20 + 5 * many + 2 * STAT_MAX_ROWS);
	stat_counts_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_events),
	    cmocka_unit_test(test_rows),
	    cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
