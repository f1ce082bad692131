// SPDX-License-Identifier: GPL-2.0-only
/* The JSON writer, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "json.h"

static void test_structure(void **state)
{
	struct buffer b = {0};
	struct json j = {.out = &b};

	(void)state;
	json_object(&j, NULL);
	json_text(&j, "a", "b");
	json_array(&j, "list");
	json_uint(&j, NULL, 1);
	json_int(&j, NULL, -2);
	json_object(&j, NULL);
	json_object_end(&j);
	json_array(&j, NULL);
	json_array_end(&j);
	json_array_end(&j);
	json_object(&j, "o");
	json_bool(&j, "yes", true);
	json_bool(&j, "no", false);
	json_object_end(&j);
	json_null(&j, "n");
	json_object_end(&j);
	json_line_end(&j);
	json_object(&j, NULL);
	json_object_end(&j);
	json_line_end(&j);
	assert_string_equal(buffer_string(&b),
			    "{\"a\":\"b\",\"list\":[1,-2,{},[]],\"o\":{\"yes\":true,\"no\":false},"
			    "\"n\":null}\n{}\n");
	buffer_free(&b);
}

static void test_numbers(void **state)
{
	struct buffer b = {0};
	struct json j = {.out = &b};

	(void)state;
	json_array(&j, NULL);
	json_uint(&j, NULL, UINT64_MAX);
	json_int(&j, NULL, INT64_MIN);
	json_double(&j, NULL, 1390979.1234, 3);
	json_double(&j, NULL, 0.5, 0);
	json_double(&j, NULL, NAN, 3);
	json_double(&j, NULL, -INFINITY, 3);
	json_number(&j, NULL, "1.500");
	json_number(&j, NULL, "");
	json_array_end(&j);
	assert_string_equal(buffer_string(&b),
			    "[18446744073709551615,-9223372036854775808,1390979.123,0,null,null,"
			    "1.500,null]");
	buffer_free(&b);
}

static void test_strings(void **state)
{
	static const struct {
		const char *bytes, *json;
	} rows[] = {
	    {"", "\"\""},
	    {"java", "\"java\""},
	    {"\"\\/", "\"\\\"\\\\/\""},
	    {"a\nb\rc\td", "\"a\\nb\\rc\\td\""},
	    {"\b\f\x01\x1f\x7f", "\"\\u0008\\u000c\\u0001\\u001f\\u007f\""},
	    {"\033[2J", "\"\\u001b[2J\""},
	    {"\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80", "\"\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80\""},
	    {"\xc2\x9b\xe2\x80\xae\xe2\x80\xa8", "\"\\u009b\\u202e\\u2028\""},
	    {"\xf3\xa0\x81\x81", "\"\\udb40\\udc41\""},
	    {"a\xffz", "\"a\xef\xbf\xbdz\""},
	    {"abc\xe6\x97", "\"abc\xef\xbf\xbd\""},
	    {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buffer b = {0};
		struct json j = {.out = &b};

		json_text(&j, NULL, rows[i].bytes);
		assert_string_equal(buffer_string(&b), rows[i].json);
		buffer_free(&b);
	}
	{
		struct buffer b = {0};
		struct json j = {.out = &b};

		json_bytes(&j, NULL, "a\0b", 3);
		assert_string_equal(buffer_string(&b), "\"a\\u0000b\"");
		buffer_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_structure),
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
