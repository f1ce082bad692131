/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads back what the sinks wrote, strictly, sharing nothing with the writers. */
#ifndef CLOCKTOP_TESTS_READBACK_H
#define CLOCKTOP_TESTS_READBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define HEADER                                                                                     \
	"time,interval_s,pid,tid,start_ns,comm,user,container,syscall,abi,clock,via,object,"       \
	"count,errors,rate,cause,missed\n"
#define NR_COLUMNS 18

/* parse_csv() and parse_json() each take one record's NR_COLUMNS values from
 * *p, which they move on, into values; false when that is no record.  The text
 * ends with a NUL at end. */
struct value {
	char text[1024];
	size_t len;
	bool number; /* JSON only: no string */
};

static bool parse_csv(const char **p, const char *end, struct value values[NR_COLUMNS])
{
	for (int i = 0; i < NR_COLUMNS; i++) {
		struct value *v = &values[i];
		bool quoted = *p < end && **p == '"';

		v->len = 0;
		if (quoted)
			++*p;
		for (;; ++*p) {
			if (*p == end || v->len == sizeof(v->text))
				return false;
			if (quoted && **p == '"') {
				++*p;
				if (*p == end || **p != '"')
					break;
			} else if (!quoted && (**p == ',' || **p == '\n')) {
				break;
			} else if (!quoted && (**p == '"' || **p == '\r')) {
				return false;
			}
			v->text[v->len++] = **p;
		}
		if (*p == end || **p != (i < NR_COLUMNS - 1 ? ',' : '\n'))
			return false;
		++*p;
	}
	return true;
}

static bool parse_hex4(const char **p, const char *end, unsigned int *c)
{
	char digits[5] = {0};
	char *stop;

	if (end - *p < 4)
		return false;
	memcpy(digits, *p, 4);
	*p += 4;
	*c = (unsigned int)strtoul(digits, &stop, 16);
	return stop == digits + 4;
}

static void add_utf8(struct value *v, unsigned int c)
{
	if (c < 0x80) {
		v->text[v->len++] = (char)c;
		return;
	}
	if (c < 0x800) {
		v->text[v->len++] = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			v->text[v->len++] = (char)(0xe0 | c >> 12);
		} else {
			v->text[v->len++] = (char)(0xf0 | c >> 18);
			v->text[v->len++] = (char)(0x80 | (c >> 12 & 0x3f));
		}
		v->text[v->len++] = (char)(0x80 | (c >> 6 & 0x3f));
	}
	v->text[v->len++] = (char)(0x80 | (c & 0x3f));
}

static bool parse_escape(const char **p, const char *end, struct value *v)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	unsigned int c, low;
	const char *known;

	if (*p == end)
		return false;
	if (**p != 'u') {
		known = strchr(from, *(*p)++);
		if (!known || *known == '\0')
			return false;
		v->text[v->len++] = to[known - from];
		return true;
	}
	++*p;
	if (!parse_hex4(p, end, &c))
		return false;
	if (c >= 0xd800 && c < 0xdc00) {
		if (end - *p < 6 || memcmp(*p, "\\u", 2) != 0)
			return false;
		*p += 2;
		if (!parse_hex4(p, end, &low) || low < 0xdc00 || low > 0xdfff)
			return false;
		c = 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
	}
	add_utf8(v, c);
	return true;
}

static bool parse_string(const char **p, const char *end, struct value *v)
{
	v->len = 0;
	v->number = false;
	if (*p == end || *(*p)++ != '"')
		return false;
	while (*p < end && **p != '"') {
		unsigned char c = (unsigned char)*(*p)++;

		if (c < 0x20 || v->len + 4 > sizeof(v->text))
			return false;
		if (c != '\\')
			v->text[v->len++] = (char)c;
		else if (!parse_escape(p, end, v))
			return false;
	}
	return *p < end && *(*p)++ == '"';
}

static bool parse_number(const char **p, const char *end, struct value *v)
{
	size_t len = strcspn(*p, ",}");

	if (len == 0 || len >= sizeof(v->text) || *p + len >= end)
		return false;
	memcpy(v->text, *p, len);
	v->text[len] = '\0';
	v->len = len;
	v->number = true;
	*p += len;
	if (len == 4 && memcmp(v->text, "null", 4) == 0) {
		v->len = 0;
		return true;
	}
	return v->text[0] != '.' && v->text[len - 1] != '.' &&
	       strspn(v->text, "0123456789.") >= len;
}

static bool parse_json(const char **p, const char *end, struct value values[NR_COLUMNS])
{
	struct value key;
	char names[] = HEADER;
	char *rest = names;

	for (int i = 0; i < NR_COLUMNS; i++) {
		const char *name = strsep(&rest, ",\n");

		if (*p == end || *(*p)++ != (i == 0 ? '{' : ',') || !parse_string(p, end, &key) ||
		    key.len != strlen(name) || memcmp(key.text, name, key.len) != 0 || *p == end ||
		    *(*p)++ != ':')
			return false;
		if (*p < end && **p == '"' ? !parse_string(p, end, &values[i])
					   : !parse_number(p, end, &values[i]))
			return false;
	}
	if (end - *p < 2 || memcmp(*p, "}\n", 2) != 0)
		return false;
	*p += 2;
	return true;
}

#endif
