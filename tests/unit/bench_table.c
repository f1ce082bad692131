// SPDX-License-Identifier: GPL-2.0-only
/* The three looks of an experiment's table. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bench_table.h"

static const struct bench_column columns[] = {
    {NULL, "clock", -1},   {"clock", NULL, -1},	 {"ns", "libc ns", 1},
    {"count", "count", 0}, {"word", "word", -1},
};

static void fill(struct bench_table *t)
{
	char gone[] = "MONO"; /* texts are copied */
	const struct bench_cell rows[2][5] = {
	    {{.text = gone},
	     {.text = "CLOCK_MONO"},
	     {.number = 21.94},
	     {.number = 1234567},
	     {.text = "yes"}},
	    {{.text = "time"}, {.text = NULL}, {.number = NAN}, {.number = 0}, {.text = NULL}},
	};

	bench_table_init(t, columns, 5);
	assert_int_equal(bench_table_add(t, rows[0]), 0);
	assert_int_equal(bench_table_add(t, rows[1]), 0);
	memset(gone, 'x', 4);
}

static void text_is_aligned(void **state)
{
	struct bench_table t;
	struct buffer b = {0};

	(void)state;
	fill(&t);
	bench_table_text(&t, &b);
	assert_string_equal(buffer_string(&b), "clock  libc ns      count  word\n"
					       "MONO      21.9  1,234,567  yes\n"
					       "time         -          0  -\n");
	buffer_free(&b);
	bench_table_free(&t);
}

static void csv_has_names_and_plain_numbers(void **state)
{
	struct bench_table t;
	struct buffer b = {0};

	(void)state;
	fill(&t);
	bench_table_csv(&t, "clock", "tsc", &b);
	assert_string_equal(buffer_string(&b), "experiment,clocksource,clock,ns,count,word\n"
					       "clock,tsc,CLOCK_MONO,21.9,1234567,yes\n"
					       "clock,tsc,,,0,\n");
	buffer_free(&b);
	bench_table_free(&t);
}

static void json_has_an_object_a_row(void **state)
{
	struct bench_table t;
	struct buffer b = {0};

	(void)state;
	fill(&t);
	bench_table_json(&t, "clock", "tsc", &b);
	assert_string_equal(
	    buffer_string(&b),
	    "{\"experiment\":\"clock\",\"clocksource\":\"tsc\",\"clock\":\"CLOCK_MONO\","
	    "\"ns\":21.9,\"count\":1234567,\"word\":\"yes\"}\n"
	    "{\"experiment\":\"clock\",\"clocksource\":\"tsc\",\"clock\":null,"
	    "\"ns\":null,\"count\":0,\"word\":null}\n");
	buffer_free(&b);
	bench_table_free(&t);
}

static void cells_are_found_by_name(void **state)
{
	struct bench_table t;

	(void)state;
	fill(&t);
	assert_float_equal(bench_table_cell(&t, 0, "count")->number, 1234567, 0);
	assert_string_equal(bench_table_cell(&t, 0, "clock")->text, "CLOCK_MONO");
	assert_null(bench_table_cell(&t, 0, "libc ns"));
	assert_null(bench_table_cell(&t, 2, "count"));
	bench_table_free(&t);
}

static void rows_without_end(void **state)
{
	struct bench_table t;
	struct bench_cell row[5] = {{.text = "a"}, {.text = "b"}, {0}, {0}, {.text = "c"}};

	(void)state;
	bench_table_init(&t, columns, 5);
	for (int i = 0; i < 1000; i++) {
		row[3].number = i;
		assert_int_equal(bench_table_add(&t, row), 0);
	}
	assert_int_equal(t.nr_rows, 1000);
	assert_float_equal(bench_table_cell(&t, 999, "count")->number, 999, 0);
	bench_table_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_is_aligned),
	    cmocka_unit_test(csv_has_names_and_plain_numbers),
	    cmocka_unit_test(json_has_an_object_a_row),
	    cmocka_unit_test(cells_are_found_by_name),
	    cmocka_unit_test(rows_without_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
