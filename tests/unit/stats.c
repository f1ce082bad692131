// SPDX-License-Identifier: GPL-2.0-only
/* Medians and quartiles against values worked out by hand and by NumPy. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "stats.h"

static void odd_series(void **state)
{
	double v[] = {9, 1, 5, 3, 7};
	struct spread s = stats_spread(v, 5);

	(void)state;
	assert_float_equal(s.min, 1, 0);
	assert_float_equal(s.low, 3, 0);
	assert_float_equal(s.median, 5, 0);
	assert_float_equal(s.high, 7, 0);
	assert_float_equal(s.max, 9, 0);
	assert_float_equal(stats_spread_percent(&s), 40, 1e-9);
}

static void even_series_interpolates(void **state)
{
	double v[] = {4, 1, 3, 2};
	struct spread s = stats_spread(v, 4);

	(void)state;
	assert_float_equal(s.low, 1.75, 1e-12);
	assert_float_equal(s.median, 2.5, 1e-12);
	assert_float_equal(s.high, 3.25, 1e-12);
}

static void one_value_is_all_of_them(void **state)
{
	double v[] = {42};
	struct spread s = stats_spread(v, 1);

	(void)state;
	assert_float_equal(s.min, 42, 0);
	assert_float_equal(s.low, 42, 0);
	assert_float_equal(s.median, 42, 0);
	assert_float_equal(s.high, 42, 0);
	assert_float_equal(s.max, 42, 0);
	assert_float_equal(stats_spread_percent(&s), 0, 0);
}

static void no_values_have_no_median(void **state)
{
	struct spread s = stats_spread(NULL, 0);

	(void)state;
	assert_true(isnan(s.median));
	assert_true(isnan(s.low));
	assert_true(isnan(stats_median(NULL, 0)));
	assert_true(isnan(stats_quantile(NULL, 0, 0.5)));
	assert_true(isnan(stats_spread_percent(&s)));
}

static void negative_values_sort_too(void **state)
{
	double v[] = {-1, -3, 2, -2};
	struct spread zero = {-1, -0.5, 0, 0.5, 1};

	(void)state;
	assert_float_equal(stats_median(v, 4), -1.5, 1e-12);
	assert_true(isnan(stats_spread_percent(&zero)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(odd_series),
	    cmocka_unit_test(even_series_interpolates),
	    cmocka_unit_test(one_value_is_all_of_them),
	    cmocka_unit_test(no_values_have_no_median),
	    cmocka_unit_test(negative_values_sort_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
