// SPDX-License-Identifier: GPL-2.0-only
/* The CSV writer, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "csv.h"

static void test_fields(void **state)
{
	static const struct {
		const char *bytes, *csv;
	} rows[] = {
	    {"", ""},
	    {"java", "java"},
	    {" a b ", " a b "},
	    {"=1+1", "=1+1"},
	    {"'a'", "'a'"},
	    {"a,b", "\"a,b\""},
	    {"\"", "\"\"\"\""},
	    {"a\"b\"", "\"a\"\"b\"\"\""},
	    {"a\nb", "\"a\nb\""},
	    {"\r", "\"\r\""},
	    {"a\"\r\nb", "\"a\"\"\r\nb\""},
	    {"\033[2J\t\x01\x7f", "\033[2J\t\x01\x7f"},
	    {"\xc3\xa9,", "\"\xc3\xa9,\""},
	    {"abc\xe6\x97", "abc\xef\xbf\xbd"},
	    {"\xff,\xff", "\"\xef\xbf\xbd,\xef\xbf\xbd\""},
	    {"\xe6\"", "\"\xef\xbf\xbd\"\"\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buffer b = {0};
		struct csv c = {.out = &b};

		csv_text(&c, rows[i].bytes);
		assert_string_equal(buffer_string(&b), rows[i].csv);
		buffer_free(&b);
	}
}

static void test_lines(void **state)
{
	struct buffer b = {0};
	struct csv c = {.out = &b};

	(void)state;
	csv_text(&c, "");
	csv_text(&c, "a");
	csv_text(&c, "");
	csv_line_end(&c);
	csv_uint(&c, UINT64_MAX);
	csv_double(&c, 1.5, 3);
	csv_double(&c, NAN, 3);
	csv_bytes(&c, "x\0y", 3);
	csv_line_end(&c);
	assert_int_equal(b.len, strlen(",a,\n18446744073709551615,1.500,,x") + 3);
	assert_memory_equal(b.data, ",a,\n18446744073709551615,1.500,,x\0y\n", b.len);
	buffer_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_fields),
	    cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
