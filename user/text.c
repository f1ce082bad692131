// SPDX-License-Identifier: GPL-2.0-only
#include "text.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

struct range {
	uint32_t first, last;
};

/* In order. */
static const struct range unsafe[] = {
    {0x0000, 0x001f},	/* C0 */
    {0x007f, 0x009f},	/* DEL, C1 */
    {0x00ad, 0x00ad},	/* soft hyphen */
    {0x034f, 0x034f},	/* combining grapheme joiner */
    {0x061c, 0x061c},	/* Arabic letter mark */
    {0x115f, 0x1160},	/* Hangul fillers */
    {0x17b4, 0x17b5},	/* Khmer inherent vowels */
    {0x180b, 0x180f},	/* Mongolian selectors */
    {0x200b, 0x200f},	/* zero-width, left-to-right and right-to-left marks */
    {0x2028, 0x202e},	/* separators, embeddings and overrides */
    {0x2060, 0x206f},	/* joiners, isolates, invisible operators */
    {0x3164, 0x3164},	/* Hangul filler */
    {0xd800, 0xdfff},	/* surrogates */
    {0xfdd0, 0xfdef},	/* noncharacters */
    {0xfe00, 0xfe0f},	/* variation selectors */
    {0xfeff, 0xfeff},	/* byte order mark */
    {0xffa0, 0xffa0},	/* halfwidth Hangul filler */
    {0xfff0, 0xfffb},	/* interlinear annotation */
    {0x1bca0, 0x1bca3}, /* shorthand format controls */
    {0x1d173, 0x1d17a}, /* musical format controls */
    {0xe0000, 0xe0fff}, /* tags, variation selectors */
};

/* Those that are not tied to one script. */
static const struct range combining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe20, 0xfe2f},
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static bool in_ranges(uint32_t c, const struct range *ranges, size_t nr)
{
	for (size_t i = 0; i < nr && ranges[i].first <= c; i++)
		if (c <= ranges[i].last)
			return true;
	return false;
}

bool text_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool text_is_unsafe(uint32_t c)
{
	if (c >= 0x20 && c < 0x7f)
		return false;
	/* U+xxFFFE and U+xxFFFF are noncharacters of every plane */
	return c > 0x10ffff || (c & 0xfffe) == 0xfffe || in_ranges(c, unsafe, NR(unsafe));
}

/* The Unicode standard's table 3-7: what may follow a first byte.  Only the
 * second byte has bounds of its own. */
size_t text_char(const char *s, size_t len, uint32_t *c)
{
	const unsigned char *p = (const unsigned char *)s;
	unsigned char low = 0x80, high = 0xbf;
	uint32_t value;
	size_t need, i;

	*c = TEXT_INVALID;
	if (p[0] < 0x80) {
		*c = p[0];
		return 1;
	} else if (p[0] >= 0xc2 && p[0] <= 0xdf) {
		need = 2;
		value = p[0] & 0x1f;
	} else if (p[0] >= 0xe0 && p[0] <= 0xef) {
		need = 3;
		value = p[0] & 0x0f;
		if (p[0] == 0xe0)
			low = 0xa0; /* below: overlong */
		else if (p[0] == 0xed)
			high = 0x9f; /* above: surrogates */
	} else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		need = 4;
		value = p[0] & 0x07;
		if (p[0] == 0xf0)
			low = 0x90; /* below: overlong */
		else if (p[0] == 0xf4)
			high = 0x8f; /* above: beyond U+10FFFF */
	} else {
		return 1;
	}
	for (i = 1; i < need; i++) {
		if (i >= len || p[i] < low || p[i] > high)
			return i;
		value = value << 6 | (p[i] & 0x3f);
		low = 0x80;
		high = 0xbf;
	}
	*c = value;
	return need;
}

/* Adds len bytes to dst if they and a NUL fit; false when they do not. */
static bool append(char *dst, size_t size, size_t *end, const char *bytes, size_t len)
{
	if (len >= size - *end)
		return false;
	memcpy(dst + *end, bytes, len);
	*end += len;
	dst[*end] = '\0';
	return true;
}

size_t text_valid_utf8(char *dst, size_t size, const char *src, size_t len)
{
	size_t end = 0;

	if (size == 0)
		return 0;
	dst[0] = '\0';
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t c;

		n = text_char(src + i, len - i, &c);
		if (c == TEXT_INVALID ? !append(dst, size, &end, "\xef\xbf\xbd", 3)
				      : !append(dst, size, &end, src + i, n))
			break;
	}
	return end;
}

/* Writes a character as an escape.  Returns its length. */
static size_t escape(char buf[16], uint32_t c)
{
	int n;

	switch (c) {
	case '\n':
		n = snprintf(buf, 16, "\\n");
		break;
	case '\t':
		n = snprintf(buf, 16, "\\t");
		break;
	case '\r':
		n = snprintf(buf, 16, "\\r");
		break;
	case 0x1b:
		n = snprintf(buf, 16, "\\e");
		break;
	default:
		n = snprintf(buf, 16,
			     c < 0x80	   ? "\\x%02x"
			     : c < 0x10000 ? "\\u%04x"
					   : "\\U%08x",
			     c);
	}
	return (size_t)n;
}

size_t text_safe(char *dst, size_t size, const char *src, size_t len, bool utf8)
{
	size_t end = 0;

	if (size == 0)
		return 0;
	dst[0] = '\0';
	for (size_t i = 0, n; i < len; i += n) {
		char buf[16];
		uint32_t c;

		n = text_char(src + i, len - i, &c);
		if (c == TEXT_INVALID) {
			n = 1; /* show each byte */
			snprintf(buf, sizeof(buf), "\\x%02x", (unsigned char)src[i]);
			if (!append(dst, size, &end, buf, 4))
				break;
		} else if (text_is_unsafe(c) || (c >= 0x80 && !utf8) ||
			   (i == 0 && in_ranges(c, combining, NR(combining)))) {
			size_t escaped = escape(buf, c);

			if (!append(dst, size, &end, buf, escaped))
				break;
		} else if (!append(dst, size, &end, src + i, n)) {
			break;
		}
	}
	return end;
}

static size_t char_width(uint32_t c)
{
	int width;

	if (c < 0x80)
		return 1;
	width = wcwidth((wchar_t)c); /* glibc's wchar_t is UCS-4 */
	return width < 0 ? 1 : (size_t)width;
}

size_t text_width(const char *s)
{
	size_t len = strlen(s), width = 0;

	for (size_t i = 0; i < len;) {
		uint32_t c;

		i += text_char(s + i, len - i, &c);
		width += char_width(c);
	}
	return width;
}

size_t text_fit(const char *s, size_t width)
{
	size_t len = strlen(s), i = 0;

	while (i < len) {
		uint32_t c;
		size_t n = text_char(s + i, len - i, &c);
		size_t columns = char_width(c);

		if (columns > width)
			break;
		width -= columns;
		i += n;
	}
	return i;
}

char *text_count(char *buf, size_t size, uint64_t n)
{
	char text[TEXT_NUMBER];
	size_t start = sizeof(text) - 1;
	unsigned int digits = 0;

	text[start] = '\0';
	do {
		if (digits != 0 && digits % 3 == 0)
			text[--start] = ',';
		text[--start] = (char)('0' + n % 10);
		digits++;
		n /= 10;
	} while (n != 0);
	snprintf(buf, size, "%s", text + start);
	return buf;
}

char *text_short(char *buf, size_t size, uint64_t n)
{
	static const char units[] = "MGTPE";
	double value = (double)n / 1e6;
	size_t unit = 0;
	int decimals;

	if (n < 1000000)
		return text_count(buf, size, n);
	while (value >= 999.5) { /* would round to 1000 */
		value /= 1000;
		unit++;
	}
	decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	snprintf(buf, size, "%.*f %c", decimals, value, units[unit]);
	return buf;
}

char *text_rate(char *buf, size_t size, double per_second)
{
	static const char units[] = " KMGTPE";
	double value = per_second;
	size_t unit = 0;
	char digits[TEXT_NUMBER];
	int decimals;

	if (!isfinite(value)) {
		snprintf(buf, size, "?");
		return buf;
	}
	if (value < 999.5) {
		decimals = value == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
		snprintf(digits, sizeof(digits), "%.*f", decimals, value);
		snprintf(buf, size, "%-5s /s", digits);
		return buf;
	}
	do {
		value /= 1000;
		unit++;
	} while (value >= 999.9995 && units[unit + 1] != '\0');
	snprintf(buf, size, "%.3f %c/s", value, units[unit]);
	return buf;
}
