// SPDX-License-Identifier: GPL-2.0-only
/* The verdicts of `check` over hosts and intervals that are made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "abi.h"
#include "health.h"

/* A host whose counter is read in user space, or is not. */
static struct served host(enum served_state counter)
{
	static const clockid_t clocks[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11};
	struct served s = {.has_vdso = true, .gettimeofday = counter, .time = SERVED_YES};

	for (int i = 0; i < NR_CLOCKS; i++)
		s.gettime[i] = s.getres[i] = SERVED_NO;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		s.exists[clocks[i]] = true;
	s.gettime[CLOCK_REALTIME] = s.gettime[CLOCK_MONOTONIC] = counter;
	s.gettime[CLOCK_MONOTONIC_RAW] = s.gettime[CLOCK_BOOTTIME] = s.gettime[CLOCK_TAI] = counter;
	s.gettime[CLOCK_REALTIME_COARSE] = s.gettime[CLOCK_MONOTONIC_COARSE] = SERVED_YES;
	return s;
}

#define COUNTERS "REALTIME, MONOTONIC, MONOTONIC_RAW, BOOTTIME, TAI, gettimeofday"
#ifdef __x86_64__
#define ALL                                                                                        \
	"REALTIME, MONOTONIC, MONOTONIC_RAW, REALTIME_COARSE, MONOTONIC_COARSE, BOOTTIME, TAI, "   \
	"gettimeofday, time"
#define OTHERS "REALTIME_COARSE, MONOTONIC_COARSE, time"
#else
#define ALL                                                                                        \
	"REALTIME, MONOTONIC, MONOTONIC_RAW, REALTIME_COARSE, MONOTONIC_COARSE, BOOTTIME, TAI, "   \
	"gettimeofday"
#define OTHERS "REALTIME_COARSE, MONOTONIC_COARSE"
#endif

static void a_good_clocksource_is_healthy(void **state)
{
	struct served s = host(SERVED_YES);
	struct health h;
	char names[HEALTH_NAMES];

	(void)state;
	health_of_host(&s, &h);
	assert_true(health_is_good(&h));
	assert_string_equal(health_names(names, sizeof(names), &h.served), ALL);
	assert_int_equal(h.unserved.nr, 0);
	assert_int_equal(h.lacking.nr, 0);
}

static void a_bad_clocksource_is_not(void **state)
{
	struct served s = host(SERVED_NO);
	struct health h;
	char names[HEALTH_NAMES];

	(void)state;
	health_of_host(&s, &h);
	assert_false(health_is_good(&h));
	assert_int_equal(h.cause, CAUSE_CLOCKSOURCE);
	assert_string_equal(health_names(names, sizeof(names), &h.unserved), COUNTERS);
	assert_string_equal(health_names(names, sizeof(names), &h.served), OTHERS);
}

static void without_a_vdso_nothing_is_served(void **state)
{
	struct served s = {0};
	struct health h;
	char names[HEALTH_NAMES];

	(void)state;
	memset(s.gettime, SERVED_NO, sizeof(s.gettime));
	s.gettimeofday = s.time = SERVED_NO;
	memcpy(s.exists, host(SERVED_NO).exists, sizeof(s.exists));
	health_of_host(&s, &h);
	assert_int_equal(h.cause, CAUSE_NO_VDSO);
	assert_string_equal(health_names(names, sizeof(names), &h.unserved), ALL);
	assert_int_equal(h.served.nr, 0);
}

/* A vDSO from before it knew the raw clock: no clocksource would change that. */
static void what_a_vdso_does_not_know_is_no_fault(void **state)
{
	struct served s = host(SERVED_YES);
	struct health h;
	char names[HEALTH_NAMES];

	(void)state;
	s.gettime[CLOCK_MONOTONIC_RAW] = SERVED_NO;
	health_of_host(&s, &h);
	assert_true(health_is_good(&h));
	assert_string_equal(health_names(names, sizeof(names), &h.lacking), "MONOTONIC_RAW");
}

/* Auxiliary clocks count once they are enabled. */
static void clocks_that_do_not_exist_are_not_missed(void **state)
{
	struct served s = host(SERVED_NO);
	struct health h;

	(void)state;
	health_of_host(&s, &h);
	size_t before = h.unserved.nr;
	s.exists[16] = true;
	health_of_host(&s, &h);
	assert_int_equal(h.unserved.nr, before + 1);
	s.exists[CLOCK_TAI] = false;
	health_of_host(&s, &h);
	assert_int_equal(h.unserved.nr, before);
}

static void other_clocksources(void **state)
{
	struct host h = {.clocksource = "hpet", .available = "tsc kvm-clock hpet acpi_pm xen"};
	char names[64], small[5];

	(void)state;
	assert_string_equal(health_clocksources(names, sizeof(names), &h, HOST_ABLE_YES), "tsc");
	assert_string_equal(health_clocksources(names, sizeof(names), &h, HOST_ABLE_MAYBE),
			    "kvm-clock, xen");
	assert_string_equal(health_clocksources(names, sizeof(names), &h, HOST_ABLE_NO), "acpi_pm");
	assert_string_equal(health_clocksources(small, sizeof(small), &h, HOST_ABLE_MAYBE), "");
	strcpy(h.clocksource, "tsc");
	assert_string_equal(health_clocksources(names, sizeof(names), &h, HOST_ABLE_YES), "");
	h.available[0] = '\0';
	assert_string_equal(health_clocksources(names, sizeof(names), &h, HOST_ABLE_NO), "");
}

static struct record calls(uint32_t pid, uint64_t start_ns, int32_t clock, uint64_t count)
{
	return (struct record){
	    .proc = {.pid = pid, .start_ns = start_ns},
	    .comm = "worker",
	    .call = CALL_CLOCK_GETTIME,
	    .clock = clock,
	    .calls = {.count = count},
	    .cause = CAUSE_CLOCK_ID,
	};
}

static void rates_add_up_over_intervals(void **state)
{
	struct record first[] = {calls(7, 1, 2, 100), calls(8, 1, 2, 10), calls(7, 1, 3, 150)};
	struct record second[] = {calls(7, 2, 2, 5), calls(8, 1, 2, 30), calls(7, 1, 2, 100)};
	struct interval a = {.seconds = 1, .records = first, .nr = 3};
	struct interval b = {.seconds = 1, .records = second, .nr = 3};
	struct health_sum sum = {0};
	struct health_process *over, busiest;
	size_t nr;

	(void)state;
	assert_int_equal(health_add(&sum, &a), 0);
	assert_int_equal(health_add(&sum, &b), 0);
	/* 350, 40 and (the pid used again) 5 calls in two seconds. */
	assert_int_equal(health_over(&sum, 19.9, &over, &nr, &busiest), 0);
	assert_int_equal(nr, 2);
	assert_int_equal(over[0].proc.pid, 7);
	assert_int_equal(over[0].proc.start_ns, 1);
	assert_int_equal(over[0].count, 350);
	assert_int_equal(over[0].clock, 2); /* 200 of them */
	assert_int_equal(over[0].cause, CAUSE_CLOCK_ID);
	assert_string_equal(over[0].comm, "worker");
	assert_int_equal(over[1].proc.pid, 8);
	assert_int_equal(over[1].count, 40);
	free(over);
	/* Exactly the rate is not over it. */
	assert_int_equal(health_over(&sum, 175, &over, &nr, &busiest), 0);
	assert_null(over);
	assert_int_equal(nr, 0);
	assert_int_equal(busiest.proc.pid, 7);
	assert_int_equal(busiest.count, 350);
	assert_int_equal(health_over(&sum, 0, &over, &nr, &busiest), 0);
	assert_int_equal(nr, 3);
	free(over);
	health_sum_free(&sum);
}

static void silence_is_healthy(void **state)
{
	struct interval iv = {.seconds = 1};
	struct health_sum sum = {0};
	struct health_process *over, busiest;
	size_t nr;

	(void)state;
	assert_int_equal(health_add(&sum, &iv), 0);
	assert_int_equal(health_over(&sum, 0, &over, &nr, &busiest), 0);
	assert_null(over);
	assert_int_equal(nr, 0);
	assert_int_equal(busiest.count, 0);
	health_sum_free(&sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_good_clocksource_is_healthy),
	    cmocka_unit_test(a_bad_clocksource_is_not),
	    cmocka_unit_test(without_a_vdso_nothing_is_served),
	    cmocka_unit_test(what_a_vdso_does_not_know_is_no_fault),
	    cmocka_unit_test(clocks_that_do_not_exist_are_not_missed),
	    cmocka_unit_test(other_clocksources),
	    cmocka_unit_test(rates_add_up_over_intervals),
	    cmocka_unit_test(silence_is_healthy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
