// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

struct line {
	const char *id, *name, *word;
};

static void print_id(char *buf, size_t size, const void *line)
{
	snprintf(buf, size, "%s", ((const struct line *)line)->id);
}

static void print_name(char *buf, size_t size, const void *line)
{
	snprintf(buf, size, "%s", ((const struct line *)line)->name);
}

static void print_word(char *buf, size_t size, const void *line)
{
	snprintf(buf, size, "%s", ((const struct line *)line)->word);
}

static const struct layout_column id = {"ID", LAYOUT_RIGHT, 1, 0, 0, false, print_id};
static const struct layout_column name = {"NAME", LAYOUT_LEFT, 2, 6, 8, false, print_name};
static const struct layout_column word = {"WORD", LAYOUT_LEFT, 3, 0, 0, false, print_word};
static const struct layout_column *const columns[] = {&id, &name, &word};

static const struct layout_column more = {"MORE", LAYOUT_LEFT, 4, 0, 0, true, print_word};

static int setup(void **state)
{
	struct layout *l = malloc(sizeof(*l));

	assert_non_null(l);
	assert_int_equal(layout_init(l, columns, 3), 0);
	*state = l;
	return 0;
}

static int teardown(void **state)
{
	layout_free(*state);
	free(*state);
	return 0;
}

static void add(struct layout *l, const char *i, const char *n, const char *w)
{
	const struct line line = {i, n, w};

	assert_int_equal(layout_add(l, &line), 0);
}

static const char *text_of(const struct layout *l, size_t line, bool utf8)
{
	static char buf[16384];

	assert_true(sizeof(buf) >= layout_line_size(l));
	layout_line(l, line, utf8, buf, sizeof(buf));
	return buf;
}

static void columns_take_what_they_need(void **state)
{
	struct layout *l = *state;

	add(l, "1", "ab", "x");
	add(l, "12345", "abcd", "longer");
	layout_fit(l, 80);
	assert_string_equal(text_of(l, LAYOUT_HEADING, true), "   ID NAME WORD");
	assert_string_equal(text_of(l, 0, true), "    1 ab   x");
	assert_string_equal(text_of(l, 1, true), "12345 abcd longer");
}

static void short_of_room_text_is_cut_and_then_left_out(void **state)
{
	struct layout *l = *state;

	add(l, "12345", "abcdefghijkl", "word");
	layout_fit(l, 23);
	assert_string_equal(text_of(l, 0, true), "12345 abcdefghijkl word");
	layout_fit(l, 22);
	assert_string_equal(text_of(l, 0, true), "12345 abcdefghij… word");
	assert_string_equal(text_of(l, 0, false), "12345 abcdefghij+ word");
	layout_fit(l, 17);
	assert_string_equal(text_of(l, 0, true), "12345 abcde… word");
	/* numbers and words are never cut: they go, by rank */
	layout_fit(l, 16);
	assert_string_equal(text_of(l, 0, true), "12345 abcdefghi…");
	layout_fit(l, 12);
	assert_string_equal(text_of(l, 0, true), "12345 abcde…");
	layout_fit(l, 11);
	assert_string_equal(text_of(l, 0, true), "12345");
	/* there is always something */
	layout_fit(l, 3);
	assert_string_equal(text_of(l, 0, true), "12…");
	layout_fit(l, 0);
	assert_string_equal(text_of(l, 0, true), "");
}

static void a_tail_survives_a_cut(void **state)
{
	struct layout *l = *state;

	add(l, "1", "abcdefghijkl\t +2", "w");
	layout_fit(l, 80);
	assert_string_equal(text_of(l, 0, true), " 1 abcdefghijkl +2 w");
	layout_fit(l, 17);
	assert_string_equal(text_of(l, 0, true), " 1 abcde… +2 w");
	layout_fit(l, 14);
	assert_string_equal(text_of(l, 0, true), " 1 ab… +2 w");
}

static void wide_characters_are_not_split(void **state)
{
	struct layout *l = *state;

	add(l, "1", "日本語日本語日本", "w");
	layout_fit(l, 18);
	/* 10 columns: four characters of two, a mark, a blank left over */
	assert_string_equal(text_of(l, 0, true), " 1 日本語日…  w");
	layout_fit(l, 17);
	assert_string_equal(text_of(l, 0, true), " 1 日本語日… w");
}

static void widths_do_not_shrink_until_asked(void **state)
{
	struct layout *l = *state;

	add(l, "12345", "abcdef", "w");
	layout_clear(l);
	add(l, "1", "a", "w");
	assert_int_equal(l->nr_lines, 1);
	layout_fit(l, 80);
	assert_string_equal(text_of(l, 0, true), "    1 a      w");
}

static void spare_columns_cut_nothing(void **state)
{
	static const struct layout_column *const with_more[] = {&id, &more, &name, &word};
	struct layout *l = *state;

	layout_free(l);
	assert_int_equal(layout_init(l, with_more, 4), 0);
	add(l, "12345", "abcdefghijkl", "w");
	/* 5, 4, 12, 4, and three blanks */
	layout_fit(l, 28);
	assert_string_equal(text_of(l, 0, true), "12345 w    abcdefghijkl w");
	layout_fit(l, 27);
	assert_string_equal(text_of(l, 0, true), "12345 abcdefghijkl w");
	layout_fit(l, 12);
	assert_string_equal(text_of(l, 0, true), "12345 abcde…");
}

static void places_are_where_the_text_is(void **state)
{
	struct layout *l = *state;
	size_t start, width;

	add(l, "12345", "abcdef", "w");
	layout_fit(l, 80);
	assert_true(layout_place(l, 2, &start, &width));
	assert_int_equal(start, 13);
	assert_int_equal(width, 4);
	layout_fit(l, 13);
	assert_false(layout_place(l, 2, &start, &width));
	assert_true(layout_place(l, 1, &start, &width));
	assert_int_equal(start, 6);
	assert_int_equal(width, 6);
}

static void many_lines(void **state)
{
	struct layout *l = *state;
	char number[16];

	for (int i = 0; i < 5000; i++) {
		snprintf(number, sizeof(number), "%d", i);
		add(l, number, "n", number);
	}
	layout_fit(l, 80);
	assert_int_equal(l->nr_lines, 5000);
	assert_string_equal(text_of(l, 4999, true), "4999 n    4999");
	assert_string_equal(text_of(l, 7, true), "   7 n    7");
}

static void a_small_buffer_is_not_overrun(void **state)
{
	struct layout *l = *state;
	char buf[8];

	add(l, "12345", "abcdef", "w");
	layout_fit(l, 80);
	memset(buf, 'x', sizeof(buf));
	assert_true(layout_line(l, 0, true, buf, sizeof(buf)) < sizeof(buf));
	assert_non_null(memchr(buf, '\0', sizeof(buf)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	    TEST(columns_take_what_they_need),
	    TEST(short_of_room_text_is_cut_and_then_left_out),
	    TEST(a_tail_survives_a_cut),
	    TEST(wide_characters_are_not_split),
	    TEST(widths_do_not_shrink_until_asked),
	    TEST(spare_columns_cut_nothing),
	    TEST(places_are_where_the_text_is),
	    TEST(many_lines),
	    TEST(a_small_buffer_is_not_overrun),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
