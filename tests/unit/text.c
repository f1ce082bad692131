// SPDX-License-Identifier: GPL-2.0-only
/* Text made fit to be shown, numbers made fit to be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "text.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define FFFD "\xef\xbf\xbd"

/* Bytes, what they are as valid UTF-8, and how they are shown. */
static const struct {
	const char *bytes;
	const char *valid, *safe, *ascii;
} texts[] = {
    {"", "", "", ""},
    {"java", "java", "java", "java"},
    {"a\\n \"b\",'", "a\\n \"b\",'", "a\\n \"b\",'", "a\\n \"b\",'"},
    {"=1+1", "=1+1", "=1+1", "=1+1"},
    /* control characters */
    {"a\nb\tc\rd", "a\nb\tc\rd", "a\\nb\\tc\\rd", "a\\nb\\tc\\rd"},
    {"\033[2J\033]0;x\007", "\033[2J\033]0;x\007", "\\e[2J\\e]0;x\\x07", "\\e[2J\\e]0;x\\x07"},
    {"\x01\x1f\x7f~", "\x01\x1f\x7f~", "\\x01\\x1f\\x7f~", "\\x01\\x1f\\x7f~"},
    /* C1: as UTF-8, and as the bytes of old terminals */
    {"\xc2\x80\xc2\x9b\xc2\x9f", "\xc2\x80\xc2\x9b\xc2\x9f", "\\u0080\\u009b\\u009f",
     "\\u0080\\u009b\\u009f"},
    {"\x9b"
     "31m",
     FFFD "31m", "\\x9b31m", "\\x9b31m"},
    {"\xc2\xa0|", "\xc2\xa0|", "\xc2\xa0|", "\\u00a0|"},
    /* beyond ASCII and fine */
    {"\xc3\xa9", "\xc3\xa9", "\xc3\xa9", "\\u00e9"},
    {"\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\xe6\x9c\xac",
     "\\u65e5\\u672c"},
    {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\\U0001f600"},
    {FFFD, FFFD, FFFD, "\\ufffd"},
    /* separators, bidirectional controls, nothing to be seen */
    {"\xe2\x80\xa8\xe2\x80\xa9", "\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029", "\\u2028\\u2029"},
    {"\xe2\x80\xaegnp", "\xe2\x80\xaegnp", "\\u202egnp", "\\u202egnp"},
    {"\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
     "\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
     "\\u2066\\u2069\\u200e\\u200f\\u061c", "\\u2066\\u2069\\u200e\\u200f\\u061c"},
    {"\xe2\x80\x8b\xe2\x80\x8d\xef\xbb\xbf\xc2\xad", "\xe2\x80\x8b\xe2\x80\x8d\xef\xbb\xbf\xc2\xad",
     "\\u200b\\u200d\\ufeff\\u00ad", "\\u200b\\u200d\\ufeff\\u00ad"},
    {"\xf3\xa0\x81\x81\xef\xb8\x8f", "\xf3\xa0\x81\x81\xef\xb8\x8f", "\\U000e0041\\ufe0f",
     "\\U000e0041\\ufe0f"},
    {"\xef\xbf\xbf\xf0\x9f\xbf\xbe", "\xef\xbf\xbf\xf0\x9f\xbf\xbe", "\\uffff\\U0001fffe",
     "\\uffff\\U0001fffe"},
    /* combining: not at the head */
    {"\xcc\x81x\xcc\x81", "\xcc\x81x\xcc\x81", "\\u0301x\xcc\x81", "\\u0301x\\u0301"},
    /* cut inside a character, as a comm of 15 bytes can be */
    {"abcdefghijklmn\xc3", "abcdefghijklmn" FFFD, "abcdefghijklmn\\xc3", "abcdefghijklmn\\xc3"},
    {"abcdefghijklm\xe6\x97", "abcdefghijklm" FFFD, "abcdefghijklm\\xe6\\x97",
     "abcdefghijklm\\xe6\\x97"},
    {"abcdefghijkl\xf0\x9f\x98", "abcdefghijkl" FFFD, "abcdefghijkl\\xf0\\x9f\\x98",
     "abcdefghijkl\\xf0\\x9f\\x98"},
    {"\xe6\x97x", FFFD "x", "\\xe6\\x97x", "\\xe6\\x97x"},
    {"\xe6\xe6\x97\xa5", FFFD "\xe6\x97\xa5", "\\xe6\xe6\x97\xa5", "\\xe6\\u65e5"},
    /* no UTF-8: stray, overlong, surrogates, beyond Unicode */
    {"\x80\xbf", FFFD FFFD, "\\x80\\xbf", "\\x80\\xbf"},
    {"\xc0\xaf\xc1\xbf", FFFD FFFD FFFD FFFD, "\\xc0\\xaf\\xc1\\xbf", "\\xc0\\xaf\\xc1\\xbf"},
    {"\xe0\x9f\xbf", FFFD FFFD FFFD, "\\xe0\\x9f\\xbf", "\\xe0\\x9f\\xbf"},
    {"\xf0\x8f\xbf\xbf", FFFD FFFD FFFD FFFD, "\\xf0\\x8f\\xbf\\xbf", "\\xf0\\x8f\\xbf\\xbf"},
    {"\xed\xa0\x80", FFFD FFFD FFFD, "\\xed\\xa0\\x80", "\\xed\\xa0\\x80"},
    {"\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD, "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80"},
    {"\xf5\xff\xfe", FFFD FFFD FFFD, "\\xf5\\xff\\xfe", "\\xf5\\xff\\xfe"},
    /* the borders of what is UTF-8 */
    {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80",
     "\\ud7ff\\ue000"},
    {"\xe0\xa0\x80", "\xe0\xa0\x80", "\xe0\xa0\x80", "\\u0800"},
    {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbd", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbd",
     "\xf0\x90\x80\x80\xf4\x8f\xbf\xbd", "\\U00010000\\U0010fffd"},
};

static void test_texts(void **state)
{
	char buf[256];

	(void)state;
	for (size_t i = 0; i < NR(texts); i++) {
		size_t len = strlen(texts[i].bytes);

		assert_int_equal(text_valid_utf8(buf, sizeof(buf), texts[i].bytes, len),
				 strlen(texts[i].valid));
		assert_string_equal(buf, texts[i].valid);
		assert_int_equal(text_safe(buf, sizeof(buf), texts[i].bytes, len, true),
				 strlen(texts[i].safe));
		assert_string_equal(buf, texts[i].safe);
		assert_int_equal(text_safe(buf, sizeof(buf), texts[i].bytes, len, false),
				 strlen(texts[i].ascii));
		assert_string_equal(buf, texts[i].ascii);
	}
	/* a NUL is a byte like others */
	assert_int_equal(text_safe(buf, sizeof(buf), "a\0b", 3, true), 6);
	assert_string_equal(buf, "a\\x00b");
	assert_int_equal(text_valid_utf8(buf, sizeof(buf), "a\0b", 3), 3);
	assert_memory_equal(buf, "a\0b", 4);
}

/* A second reading of UTF-8: the C library's, which goes beyond Unicode. */
static bool libc_says_valid(const char *s, size_t len)
{
	mbstate_t mb = {0};

	while (len != 0) {
		wchar_t c;
		size_t n = mbrtowc(&c, s, len, &mb);

		if (n == (size_t)-1 || n == (size_t)-2 || (n != 0 && c > 0x10ffff))
			return false;
		n = n ? n : 1;
		s += n;
		len -= n;
	}
	return true;
}

/* Every code point, encoded by the C library, is read as itself. */
static void test_every_code_point(void **state)
{
	(void)state;
	for (uint32_t c = 0; c <= 0x10ffff; c++) {
		char bytes[MB_LEN_MAX], valid[16];
		uint32_t read;
		size_t len;
		mbstate_t mb = {0};

		if (c >= 0xd800 && c <= 0xdfff)
			continue;
		len = wcrtomb(bytes, (wchar_t)c, &mb);
		assert_true(len != (size_t)-1);
		assert_int_equal(text_char(bytes, len, &read), len);
		assert_int_equal(read, c);
		assert_int_equal(text_valid_utf8(valid, sizeof(valid), bytes, len), len);
		assert_memory_equal(valid, bytes, len);
		/* cut short it is one invalid part */
		for (size_t cut = 1; cut < len; cut++) {
			assert_int_equal(text_char(bytes, cut, &read), cut);
			assert_int_equal(read, TEXT_INVALID);
		}
		/* the C library prints no control character that we let pass */
		if (c < 0x20 || (c >= 0x7f && c < 0xa0))
			assert_true(text_is_unsafe(c));
		if (c >= 0x20 && c < 0x7f)
			assert_false(text_is_unsafe(c));
	}
}

static bool harmless(const char *s, size_t len, bool utf8)
{
	for (size_t i = 0; i < len;) {
		uint32_t c;

		i += text_char(s + i, len - i, &c);
		if (c == TEXT_INVALID || text_is_unsafe(c) || (!utf8 && c >= 0x7f))
			return false;
	}
	return true;
}

static void test_random_bytes(void **state)
{
	/* bytes that matter to UTF-8 and terminals, more often than others */
	static const unsigned char hot[] = {0x1b, 0x9b, 0xc2, 0x80, 0xe2, 0x80, 0xae, 0xed,
					    0xa0, 0xf0, 0x90, 0xf4, 0x8f, 0xbf, 0xef, 'a'};

	(void)state;
	srandom(1);
	for (int round = 0; round < 200000; round++) {
		char src[24], dst[3 * sizeof(src) + 1], again[sizeof(dst)];
		char safe[TEXT_SAFE_SIZE(sizeof(src))], twice[TEXT_SAFE_SIZE(sizeof(safe))];
		size_t len = (size_t)random() % sizeof(src), n;
		bool utf8 = random() % 2;

		for (size_t i = 0; i < len; i++)
			src[i] = (char)(random() % 2 ? hot[random() % NR(hot)] : random() % 256);

		n = text_valid_utf8(dst, 3 * len + 1, src, len);
		assert_true(n <= 3 * len);
		assert_true(libc_says_valid(dst, n));
		assert_int_equal(libc_says_valid(src, len), n == len && memcmp(src, dst, n) == 0);
		assert_int_equal(text_valid_utf8(again, sizeof(again), dst, n), n);
		assert_memory_equal(again, dst, n);

		n = text_safe(safe, TEXT_SAFE_SIZE(len), src, len, utf8);
		assert_int_equal(strlen(safe), n);
		assert_true(harmless(safe, n, utf8));
		assert_int_equal(text_safe(twice, sizeof(twice), safe, n, utf8), n);
		assert_string_equal(twice, safe);
	}
}

/* Room for every length: what fits is a prefix of whole characters and
 * escapes. */
static void test_cut(void **state)
{
	static const char src[] = "a\xc3\xa9\n\xff\xe6\x97\xa5z";
	static const char *const safe[] = {"",
					   "a",
					   "a\xc3\xa9",
					   "a\xc3\xa9\\n",
					   "a\xc3\xa9\\n\\xff",
					   "a\xc3\xa9\\n\\xff\xe6\x97\xa5",
					   "a\xc3\xa9\\n\\xff\xe6\x97\xa5z"};
	static const char *const valid[] = {"",
					    "a",
					    "a\xc3\xa9",
					    "a\xc3\xa9\n",
					    "a\xc3\xa9\n" FFFD,
					    "a\xc3\xa9\n" FFFD "\xe6\x97\xa5",
					    "a\xc3\xa9\n" FFFD "\xe6\x97\xa5z"};
	char buf[64];

	(void)state;
	for (size_t size = 1; size < 20; size++) {
		size_t best_safe = 0, best_valid = 0;

		for (size_t i = 0; i < NR(safe); i++) {
			if (strlen(safe[i]) < size)
				best_safe = i;
			if (strlen(valid[i]) < size)
				best_valid = i;
		}
		memset(buf, '#', sizeof(buf));
		text_safe(buf, size, src, strlen(src), true);
		assert_string_equal(buf, safe[best_safe]);
		assert_int_equal(buf[size], '#');
		memset(buf, '#', sizeof(buf));
		text_valid_utf8(buf, size, src, strlen(src));
		assert_string_equal(buf, valid[best_valid]);
		assert_int_equal(buf[size], '#');
	}
	buf[0] = '#';
	assert_int_equal(text_safe(buf, 0, "x", 1, true), 0);
	assert_int_equal(text_valid_utf8(buf, 0, "x", 1), 0);
	assert_int_equal(buf[0], '#');
}

static void test_width(void **state)
{
	static const struct {
		const char *text;
		size_t width;
		size_t fit[8]; /* bytes that fit in 0, 1, … columns */
	} rows[] = {
	    {"", 0, {0, 0, 0, 0, 0, 0, 0, 0}},
	    {"abc", 3, {0, 1, 2, 3, 3, 3, 3, 3}},
	    {"\xc3\xa9x", 2, {0, 2, 3, 3, 3, 3, 3, 3}},
	    {"e\xcc\x81x", 2, {0, 3, 4, 4, 4, 4, 4, 4}},
	    {"\xe6\x97\xa5\xe6\x9c\xac", 4, {0, 0, 3, 3, 6, 6, 6, 6}},
	    {"a\xf0\x9f\x98\x80z", 4, {0, 1, 1, 5, 6, 6, 6, 6}},
	    {"\\n\\x9b", 6, {0, 1, 2, 3, 4, 5, 6, 6}},
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		assert_int_equal(text_width(rows[i].text), rows[i].width);
		for (size_t width = 0; width < 8; width++)
			assert_int_equal(text_fit(rows[i].text, width), rows[i].fit[width]);
	}
}

static void test_counts(void **state)
{
	static const struct {
		uint64_t n;
		const char *count, *brief;
	} rows[] = {
	    {0, "0", "0"},
	    {7, "7", "7"},
	    {999, "999", "999"},
	    {1000, "1,000", "1,000"},
	    {1904, "1,904", "1,904"},
	    {12345, "12,345", "12,345"},
	    {999999, "999,999", "999,999"},
	    {1000000, "1,000,000", "1.00 M"},
	    {1390979, "1,390,979", "1.39 M"},
	    {9994999, "9,994,999", "9.99 M"},
	    {9996000, "9,996,000", "10.0 M"},
	    {12345678, "12,345,678", "12.3 M"},
	    {99960000, "99,960,000", "100 M"},
	    {999499999, "999,499,999", "999 M"},
	    {999500000, "999,500,000", "1.00 G"},
	    {4560000000, "4,560,000,000", "4.56 G"},
	    {7890000000000, "7,890,000,000,000", "7.89 T"},
	    {1000000000000000, "1,000,000,000,000,000", "1.00 P"},
	    {UINT64_MAX, "18,446,744,073,709,551,615", "18.4 E"},
	};
	char buf[TEXT_NUMBER];

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		assert_string_equal(text_count(buf, sizeof(buf), rows[i].n), rows[i].count);
		assert_string_equal(text_short(buf, sizeof(buf), rows[i].n), rows[i].brief);
	}
	assert_string_equal(text_count(buf, 4, 1000), "1,0"); /* never beyond size */
}

static void test_rates(void **state)
{
	static const struct {
		double rate;
		const char *text;
	} rows[] = {
	    {0, "0     /s"},	      {0.004, "0.00  /s"},
	    {0.5, "0.50  /s"},	      {9.994, "9.99  /s"},
	    {9.996, "10.0  /s"},      {12.34, "12.3  /s"},
	    {99.96, "100   /s"},      {139.4, "139   /s"},
	    {140.39, "140   /s"},     {999.4, "999   /s"},
	    {999.6, "1.000 K/s"},     {1000, "1.000 K/s"},
	    {12345, "12.345 K/s"},    {999999.4, "999.999 K/s"},
	    {999999.6, "1.000 M/s"},  {1391118.4, "1.391 M/s"},
	    {2.5e9, "2.500 G/s"},     {2.5e12, "2.500 T/s"},
	    {2.5e21, "2500.000 E/s"}, {NAN, "?"},
	    {INFINITY, "?"},
	};
	char buf[TEXT_NUMBER];

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		assert_string_equal(text_rate(buf, sizeof(buf), rows[i].rate), rows[i].text);
}

static void test_locale(void **state)
{
	(void)state;
	assert_true(text_utf8());
	assert_non_null(setlocale(LC_CTYPE, "C"));
	assert_false(text_utf8());
	assert_int_equal(text_width("\xc3\xa9x"), 2); /* without a UTF-8 locale too */
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_texts),	 cmocka_unit_test(test_every_code_point),
	    cmocka_unit_test(test_random_bytes), cmocka_unit_test(test_cut),
	    cmocka_unit_test(test_width),	 cmocka_unit_test(test_counts),
	    cmocka_unit_test(test_rates),	 cmocka_unit_test(test_locale),
	};

	/* the C library's own reading of UTF-8 serves as the second opinion */
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
