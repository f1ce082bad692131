// SPDX-License-Identifier: GPL-2.0-only
/* What the vDSO serves: that asking tells apart what is known on every host,
 * leaves no trace in the process, and that every way has a cost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "served.h"

static void what_holds_on_every_host(void **state)
{
	static const clockid_t always[] = {CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE};
	static const clockid_t never[] = {CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
	struct served s;

	(void)state;
	assert_int_equal(served_ask(&s), 0);
	assert_true(s.has_vdso);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(s.gettime[always[i]], SERVED_YES);
		assert_int_equal(s.getres[always[i]], SERVED_YES);
		assert_true(s.exists[always[i]]);
		assert_int_equal(s.gettime[never[i]], SERVED_NO);
		assert_int_equal(s.getres[never[i]], SERVED_NO);
		assert_true(s.exists[never[i]]);
	}
	/* Id 10 was another system's clock and is refused by every kernel. */
	assert_int_equal(s.gettime[10], SERVED_NO);
	assert_false(s.exists[10]);
	assert_int_equal(s.getres[CLOCK_MONOTONIC], SERVED_YES);
	/* These read the same counter in the same way. */
	assert_int_equal(s.gettime[CLOCK_REALTIME], s.gettime[CLOCK_MONOTONIC]);
	assert_int_equal(s.gettime[CLOCK_REALTIME], s.gettimeofday);
	for (int i = 0; i < NR_CLOCKS; i++)
		assert_int_not_equal(s.gettime[i], SERVED_UNKNOWN);
#ifdef SYS_time
	assert_int_equal(s.time, SERVED_YES);
#else
	assert_int_equal(s.time, SERVED_NO);
#endif
}

/* The lines of /proc/self/status that a filter would change. */
static void status_lines(char *to, size_t size)
{
	char line[256];
	size_t used = 0;
	FILE *f = fopen("/proc/self/status", "re");

	assert_non_null(f);
	to[0] = '\0';
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, "Seccomp", 7) == 0 || strncmp(line, "NoNewPrivs", 10) == 0 ||
		    strncmp(line, "Threads", 7) == 0 || strncmp(line, "SigBlk", 6) == 0)
			used += (size_t)snprintf(to + used, size - used, "%s", line);
	}
	fclose(f);
}

static void asking_leaves_no_trace(void **state)
{
	char before[512], after[512];
	struct served a, b;
	struct timespec ts;

	(void)state;
	status_lines(before, sizeof(before));
	assert_int_equal(served_ask(&a), 0);
	assert_int_equal(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &ts), 0);
	assert_int_equal(served_ask(&b), 0);
	assert_true(served_equal(&a, &b));
	status_lines(after, sizeof(after));
	assert_string_equal(before, after);
}

/* What can change is asked and nothing else: of a made-up past, the clocks that
 * read the counter are set right, and only they. */
static void asking_again_asks_what_can_change(void **state)
{
	struct served now, past, again;

	(void)state;
	assert_int_equal(served_ask(&now), 0);
	past = now;
	memset(past.gettime, SERVED_UNKNOWN, sizeof(past.gettime));
	memset(past.getres, SERVED_UNKNOWN, sizeof(past.getres));
	past.gettimeofday = past.time = SERVED_UNKNOWN;
	past.exists[CLOCK_TAI] = false;
	assert_int_equal(served_ask_again(&again, &past), 0);
	assert_int_equal(again.gettime[CLOCK_REALTIME], now.gettime[CLOCK_REALTIME]);
	assert_int_equal(again.gettime[CLOCK_MONOTONIC], now.gettime[CLOCK_MONOTONIC]);
	assert_int_equal(again.gettime[CLOCK_MONOTONIC_RAW], now.gettime[CLOCK_MONOTONIC_RAW]);
	assert_int_equal(again.gettime[CLOCK_BOOTTIME], now.gettime[CLOCK_BOOTTIME]);
	assert_int_equal(again.gettimeofday, now.gettimeofday);
	assert_int_equal(again.gettime[CLOCK_TAI], SERVED_UNKNOWN);
	assert_int_equal(again.gettime[CLOCK_MONOTONIC_COARSE], SERVED_UNKNOWN);
	assert_int_equal(again.gettime[CLOCK_THREAD_CPUTIME_ID], SERVED_UNKNOWN);
	assert_int_equal(again.getres[CLOCK_MONOTONIC], SERVED_UNKNOWN);
	assert_int_equal(again.time, SERVED_UNKNOWN);
	assert_int_equal(served_ask_again(&now, &now), 0);
}

static void states_of_calls(void **state)
{
	struct served s = {.gettimeofday = SERVED_NO, .time = SERVED_YES};

	(void)state;
	s.gettime[CLOCK_MONOTONIC] = SERVED_YES;
	s.getres[CLOCK_MONOTONIC] = SERVED_NO;
	assert_int_equal(served_state(&s, CALL_GETTIMEOFDAY, 0), SERVED_NO);
	assert_int_equal(served_state(&s, CALL_TIME, 0), SERVED_YES);
	assert_int_equal(served_state(&s, CALL_CLOCK_GETTIME, CLOCK_MONOTONIC), SERVED_YES);
	assert_int_equal(served_state(&s, CALL_CLOCK_GETTIME64, CLOCK_MONOTONIC), SERVED_YES);
	assert_int_equal(served_state(&s, CALL_CLOCK_GETRES, CLOCK_MONOTONIC), SERVED_NO);
	assert_int_equal(served_state(&s, CALL_CLOCK_GETTIME, CLOCK_REALTIME), SERVED_UNKNOWN);
	assert_int_equal(served_state(&s, CALL_CLOCK_GETTIME, -2), SERVED_NO);
	assert_int_equal(served_state(&s, CALL_CLOCK_GETTIME, 99), SERVED_NO);
	assert_int_equal(served_state(&s, CALL_CLOCK_GETRES, -2), SERVED_NO);
}

static void any_difference_counts(void **state)
{
	struct served a = {0}, b = {0};

	(void)state;
	assert_true(served_equal(&a, &b));
	b.gettime[NR_CLOCKS - 1] = SERVED_YES;
	assert_false(served_equal(&a, &b));
	b = a;
	b.getres[0] = SERVED_NO;
	assert_false(served_equal(&a, &b));
	b = a;
	b.exists[3] = true;
	assert_false(served_equal(&a, &b));
	b = a;
	b.time = SERVED_NO;
	assert_false(served_equal(&a, &b));
	b = a;
	b.has_vdso = true;
	assert_false(served_equal(&a, &b));
}

static void every_way_has_a_cost(void **state)
{
	struct served s;
	struct served_cost c;

	(void)state;
	assert_int_equal(served_ask(&s), 0);
	served_measure(&c, &s);
	for (int i = 0; i < NR_CLOCKS; i++) {
		assert_true(c.syscall_gettime[i] > 0);
		assert_int_equal(isnan(c.vdso_gettime[i]), !s.exists[i]);
	}
	assert_true(c.syscall_gettimeofday > 0 && c.syscall_getres > 0);
	/* No timing decides; but reading a variable is no dearer than a syscall. */
	assert_true(c.vdso_gettime[CLOCK_REALTIME_COARSE] <
		    c.syscall_gettime[CLOCK_REALTIME_COARSE]);
	assert_float_equal(served_syscall_cost(&c, CALL_CLOCK_GETTIME64, 1), c.syscall_gettime[1],
			   0);
	assert_float_equal(served_syscall_cost(&c, CALL_CLOCK_GETRES, 1), c.syscall_getres, 0);
	assert_float_equal(served_syscall_cost(&c, CALL_GETTIMEOFDAY, 0), c.syscall_gettimeofday,
			   0);
	assert_true(isnan(served_syscall_cost(&c, CALL_CLOCK_GETTIME, -6)));
	assert_true(isnan(served_syscall_cost(&c, CALL_CLOCK_GETTIME, 99)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_holds_on_every_host),
	    cmocka_unit_test(asking_leaves_no_trace),
	    cmocka_unit_test(asking_again_asks_what_can_change),
	    cmocka_unit_test(states_of_calls),
	    cmocka_unit_test(any_difference_counts),
	    cmocka_unit_test(every_way_has_a_cost),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
