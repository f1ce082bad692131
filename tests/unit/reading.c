// SPDX-License-Identifier: GPL-2.0-only
/* The timed loops: that they make exactly the reads they are asked for, in the
 * way they are asked for, and take the loop's own time off. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reading.h"

static uint64_t calls;
static clockid_t last_clock;

static int counted_clock(clockid_t clock, struct timespec *ts)
{
	calls++;
	last_clock = clock;
	*ts = (struct timespec){0};
	return 0;
}

static int counted_gettimeofday(struct timeval *tv, void *tz)
{
	calls++;
	*tv = (struct timeval){0};
	assert_null(tz);
	return 0;
}

static time_t counted_time(time_t *t)
{
	calls++;
	return *t = 0;
}

static const struct vdso_functions counted = {
    .gettime = counted_clock,
    .getres = counted_clock,
    .gettimeofday = counted_gettimeofday,
    .time = counted_time,
};

static void every_read_is_made(void **state)
{
	static const enum call all[] = {CALL_CLOCK_GETTIME, CALL_CLOCK_GETRES, CALL_GETTIMEOFDAY,
					CALL_TIME};
	struct reading r;

	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_true(reading_init(&r, READING_VDSO, all[i], CLOCK_BOOTTIME, &counted));
		calls = 0;
		last_clock = -1;
		reading_repeat(&r, 12345);
		assert_int_equal(calls, 12345);
		assert_int_equal(last_clock, i < 2 ? CLOCK_BOOTTIME : -1);
		reading_repeat(&r, 0);
		assert_int_equal(calls, 12345);
	}
}

static void ways_that_are_not_there(void **state)
{
	static const struct vdso_functions none = {0};
	struct reading r;

	(void)state;
	assert_false(reading_init(&r, READING_VDSO, CALL_CLOCK_GETTIME, 0, &none));
	assert_false(reading_init(&r, READING_VDSO, CALL_CLOCK_GETRES, 0, &none));
	assert_false(reading_init(&r, READING_VDSO, CALL_GETTIMEOFDAY, 0, &none));
	assert_false(reading_init(&r, READING_VDSO, CALL_TIME, 0, &none));
	assert_false(reading_init(&r, READING_LIBC, CALL_CLOCK_GETTIME64, 0, &none));
	assert_true(reading_init(&r, READING_LIBC, CALL_TIME, 0, &none));
	assert_true(reading_init(&r, READING_SYSCALL, CALL_CLOCK_GETTIME, 0, &none));
}

/* Libc and the syscall give the time, and errors as the kernel gives them. */
static void they_read_the_clock(void **state)
{
	static const enum reading_way ways[] = {READING_LIBC, READING_SYSCALL};
	static const struct vdso_functions none = {0};
	struct timespec ts, now;
	struct reading r;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_true(reading_init(&r, ways[i], CALL_CLOCK_GETTIME, CLOCK_MONOTONIC, &none));
		ts.tv_sec = 0;
		assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
		assert_int_equal(r.function.clock_call(CLOCK_MONOTONIC, &ts), 0);
		assert_in_range(ts.tv_sec, now.tv_sec, now.tv_sec + 10);
		assert_int_equal(r.function.clock_call(99, &ts), -1);
		assert_int_equal(errno, EINVAL);
	}
}

static void batches_are_powers_of_two(void **state)
{
	struct reading r;

	(void)state;
	assert_true(reading_init(&r, READING_VDSO, CALL_TIME, 0, &counted));
	assert_int_equal(reading_batch(&r, 0), 1);
	uint64_t n = reading_batch(&r, 100000);
	assert_int_equal(n & (n - 1), 0);
	assert_true(n > 1);
}

static void every_round_has_its_reads(void **state)
{
	double ns[7];
	struct reading r;

	(void)state;
	assert_true(reading_init(&r, READING_VDSO, CALL_CLOCK_GETTIME, 1, &counted));
	calls = 0;
	reading_time(&r, 100, ns, 7);
	assert_int_equal(calls, 700);
	for (int i = 0; i < 7; i++)
		assert_true(ns[i] >= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_read_is_made),
	    cmocka_unit_test(ways_that_are_not_there),
	    cmocka_unit_test(they_read_the_clock),
	    cmocka_unit_test(batches_are_powers_of_two),
	    cmocka_unit_test(every_round_has_its_reads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
