// SPDX-License-Identifier: GPL-2.0-only
/* Bytes that grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "buffer.h"

static void test_adds(void **state)
{
	struct buffer b = {0};

	(void)state;
	assert_string_equal(buffer_string(&b), "");
	buffer_add(&b, "", 0);
	assert_string_equal(buffer_string(&b), "");
	buffer_text(&b, "a");
	buffer_char(&b, ',');
	buffer_uint(&b, 0);
	buffer_char(&b, ',');
	buffer_uint(&b, UINT64_MAX);
	buffer_format(&b, ",%s,%d", "x", -1);
	assert_string_equal(buffer_string(&b), "a,0,18446744073709551615,x,-1");
	assert_int_equal(b.len, strlen(b.data));
	assert_false(b.failed);

	buffer_clear(&b);
	assert_string_equal(buffer_string(&b), "");
	buffer_add(&b, "\0\n", 2); /* any bytes */
	assert_int_equal(b.len, 2);
	assert_memory_equal(b.data, "\0\n", 3);
	buffer_free(&b);
	assert_null(b.data);
}

/* Every length around the sizes at which it grows. */
static void test_grows(void **state)
{
	char text[2000];

	(void)state;
	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		struct buffer b = {0};

		memset(text, 'x', len);
		text[len] = '\0';
		buffer_format(&b, "%s", text);
		assert_int_equal(b.len, len);
		buffer_text(&b, text);
		buffer_char(&b, '!');
		assert_int_equal(b.len, 2 * len + 1);
		assert_int_equal(b.data[2 * len], '!');
		assert_int_equal(b.data[2 * len + 1], '\0');
		assert_int_equal(strspn(b.data, "x"), 2 * len);
		buffer_free(&b);
	}
}

static void test_fails_for_good(void **state)
{
	struct buffer b = {0};

	(void)state;
	buffer_text(&b, "kept");
	assert_null(buffer_reserve(&b, SIZE_MAX / 2));
	assert_true(b.failed);
	buffer_text(&b, "!");
	assert_string_equal(buffer_string(&b), "kept!");
	assert_true(b.failed); /* until it is emptied */
	buffer_clear(&b);
	assert_false(b.failed);
	buffer_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_adds),
	    cmocka_unit_test(test_grows),
	    cmocka_unit_test(test_fails_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
