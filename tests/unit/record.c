// SPDX-License-Identifier: GPL-2.0-only
/* Names of the causes, sums of tallies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "record.h"

static void test_cause_names(void **state)
{
	static const char *const names[NR_CAUSE] = {
	    "unknown", "clocksource",	"clock-id", "invalid-clock", "denied",
	    "no-vdso", "vdso-modified", "libc",	    "direct",	     "vsyscall",
	};

	(void)state;
	for (int cause = 0; cause < NR_CAUSE; cause++)
		assert_string_equal(cause_name(cause), names[cause]);
}

static void test_tally_add(void **state)
{
	struct tally a = {100, 31, 1, 2, 3, 25, 22};
	const struct tally b = {1000, 511, 101, 102, 103, 205, 14};
	const struct tally no_error = {.count = 1ULL << 40};

	(void)state;
	tally_add(&a, &b);
	assert_int_equal(a.count, 1100);
	assert_int_equal(a.errors, 542);
	assert_int_equal(a.einval, 102);
	assert_int_equal(a.efault, 104);
	assert_int_equal(a.rolled_back, 106);
	assert_int_equal(a.other, 230);
	assert_int_equal(a.last_outcome, 14);

	tally_add(&a, &no_error);
	assert_int_equal(a.count, 1100 + (1ULL << 40));
	assert_int_equal(a.errors, 542);
	assert_int_equal(a.last_outcome, 14); /* the last that is not 0 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cause_names),
	    cmocka_unit_test(test_tally_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
