// SPDX-License-Identifier: GPL-2.0-only
/*
 * No bytes get to a terminal that it could act on, and none to a file that
 * are no UTF-8; nothing is cut inside a character or an escape.
 */
#include <wchar.h>

#include "fuzz.h"
#include "text.h"

/* A decoder of its own (RFC 3629).  Returns the bytes of a character, or 0. */
static size_t decode(const unsigned char *s, size_t len, uint32_t *c)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80	     ? 1
		   : s[0] >> 5 == 6  ? 2
		   : s[0] >> 4 == 14 ? 3
		   : s[0] >> 3 == 30 ? 4
				     : 0;

	if (n == 0 || n > len)
		return 0;
	*c = n == 1 ? s[0] : s[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		*c = *c << 6 | (s[i] & 0x3f);
	}
	return *c < least[n] || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff) ? 0 : n;
}

static void check_safe(const char *s, size_t len, bool utf8)
{
	size_t n;

	CHECK(strlen(s) == len);
	for (size_t i = 0; i < len; i += n) {
		uint32_t c;

		n = decode((const unsigned char *)s + i, len - i, &c);
		CHECK(n > 0);
		CHECK(c >= 0x20 && c != 0x7f && (c < 0x80 || utf8));
		CHECK(c < 0x80 || c > 0x9f);	 /* C1 */
		CHECK(c < 0x200b || c > 0x200f); /* marks */
		CHECK(c < 0x2028 || c > 0x202e); /* overrides */
		CHECK(c < 0x2066 || c > 0x2069); /* isolates */
		CHECK(c != 0x61c && c != 0xfeff && (c & 0xfffe) != 0xfffe);
	}
}

static void check_valid(const char *s, size_t len)
{
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		uint32_t c;

		n = decode((const unsigned char *)s + i, len - i, &c);
		CHECK(n > 0);
	}
}

static void show(const char *text, size_t len, bool utf8, size_t room)
{
	char *all = malloc(TEXT_SAFE_SIZE(len)), *part = malloc(room);
	size_t n, cut;

	CHECK(all && part);
	n = text_safe(all, TEXT_SAFE_SIZE(len), text, len, utf8);
	check_safe(all, n, utf8);
	text_width(all);
	CHECK(text_fit(all, SIZE_MAX) == n);
	check_safe(all, n, utf8);
	cut = text_safe(part, room, text, len, utf8);
	CHECK(cut < room && cut <= n && memcmp(part, all, cut) == 0);
	check_safe(part, cut, utf8);
	all[text_fit(all, room)] = '\0';
	check_safe(all, strlen(all), utf8);
	free(all);
	free(part);
}

static void repair(const char *text, size_t len, size_t room)
{
	char *all = malloc(3 * len + 1), *again = malloc(3 * len + 1), *part = malloc(room);
	size_t n, cut;

	CHECK(all && again && part);
	n = text_valid_utf8(all, 3 * len + 1, text, len);
	CHECK(n <= 3 * len && all[n] == '\0');
	check_valid(all, n);
	CHECK(text_valid_utf8(again, 3 * len + 1, all, n) == n && memcmp(all, again, n) == 0);
	cut = text_valid_utf8(part, room, text, len);
	CHECK(cut < room && cut <= n && part[cut] == '\0' && memcmp(part, all, cut) == 0);
	check_valid(part, cut);
	free(all);
	free(again);
	free(part);
}

/* The first byte says how much room there is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t room;
	char *text;

	if (size == 0)
		return 0;
	room = data[0] + 1U;
	text = malloc(size); /* without a NUL: lengths are given */
	CHECK(text != NULL);
	memcpy(text, data + 1, size - 1);
	show(text, size - 1, true, room);
	show(text, size - 1, false, room);
	repair(text, size - 1, room);
	free(text);
	return 0;
}
