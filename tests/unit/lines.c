// SPDX-License-Identifier: GPL-2.0-only
/* Paragraphs for people. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lines.h"

static void prints(unsigned int width, bool colour, unsigned int indent, const char *label,
		   unsigned int hang, const char *text, const char *expected)
{
	char *got = NULL;
	size_t size;
	struct lines l = {.width = width, .colour = colour};

	l.out = open_memstream(&got, &size);
	assert_non_null(l.out);
	lines_paragraph(&l, indent, label, hang, LINES_GOOD, text);
	assert_int_equal(fclose(l.out), 0);
	assert_string_equal(got, expected);
	free(got);
}

static void text_is_broken_at_blanks(void **state)
{
	(void)state;
	prints(40, false, 2, "cause", 10, "one two three four five six seven eight nine",
	       "  cause   one two three four five six\n"
	       "          seven eight nine\n");
	prints(40, false, 0, "", 0, "exactly forty columns of text, no more..",
	       "exactly forty columns of text, no more..\n");
	prints(40, false, 0, "", 0, "exactly forty columns of text, no more... then",
	       "exactly forty columns of text, no\nmore... then\n");
	prints(40, false, 0, "", 0, "", "");
	prints(40, false, 4, "x", 6, "a\nb\n\nc", "    x a\n      b\n      c\n");
}

static void a_label_longer_than_its_place_moves_the_first_line_only(void **state)
{
	(void)state;
	prints(40, false, 2, "served in user space now:", 4, "REALTIME, MONOTONIC, TAI",
	       "  served in user space now: REALTIME,\n    MONOTONIC, TAI\n");
}

static void blanks_within_a_line_stay(void **state)
{
	(void)state;
	prints(40, false, 2, "", 2, "clock_gettime TAI   12/s  direct",
	       "  clock_gettime TAI   12/s  "
	       "direct\n");
}

static void commands_and_long_words_stay_whole(void **state)
{
	(void)state;
	prints(20, false, 2, "do", 5, "$ echo tsc > /sys/devices/system/clocksource\nthen look",
	       "  do echo tsc > /sys/devices/system/clocksource\n     then look\n");
	prints(20, false, 0, "", 4, "/a/path/that/is/longer/than/the/width it is",
	       "    /a/path/that/is/longer/than/the/width\n    it is\n");
	/* However deep it stands, some text fits. */
	prints(12, false, 0, "", 10, "a b c d e f g h", "          a b c d e\n          f g h\n");
}

static void colours_end_with_the_line(void **state)
{
	(void)state;
	prints(14, true, 0, "do", 4, "one two three",
	       "\033[1mdo\033[0m  \033[32mone two\033[0m\n    \033[32mthree\033[0m\n");
}

static void wide_characters_count_as_they_show(void **state)
{
	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	prints(14, false, 0, "", 0, "ää ää ää ää ää", "ää ää ää ää ää\n");
	prints(14, false, 0, "", 0, "ää ää ää ää ääö", "ää ää ää ää\nääö\n");
	prints(13, false, 0, "", 0, "日本 日本 日本", "日本 日本\n日本\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_is_broken_at_blanks),
	    cmocka_unit_test(a_label_longer_than_its_place_moves_the_first_line_only),
	    cmocka_unit_test(blanks_within_a_line_stay),
	    cmocka_unit_test(commands_and_long_words_stay_whole),
	    cmocka_unit_test(colours_end_with_the_line),
	    cmocka_unit_test(wide_characters_count_as_they_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
