// SPDX-License-Identifier: GPL-2.0-only
#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 256

void buffer_clear(struct buffer *b)
{
	b->len = 0;
	b->failed = false;
}

void buffer_free(struct buffer *b)
{
	free(b->data);
	*b = (struct buffer){0};
}

const char *buffer_string(const struct buffer *b)
{
	return b->len != 0 ? b->data : "";
}

char *buffer_reserve(struct buffer *b, size_t len)
{
	size_t room = b->room ? b->room : FIRST_ROOM;
	char *data;

	if (len < b->room - b->len) /* room for the NUL too */
		return b->data + b->len;
	if (len >= SIZE_MAX / 4 || b->len >= SIZE_MAX / 4) {
		b->failed = true;
		return NULL;
	}
	while (room - b->len <= len)
		room *= 2;
	data = realloc(b->data, room);
	if (!data) {
		b->failed = true;
		return NULL;
	}
	b->data = data;
	b->room = room;
	return data + b->len;
}

void buffer_add(struct buffer *b, const void *bytes, size_t len)
{
	char *end = buffer_reserve(b, len);

	if (!end)
		return;
	if (len != 0)
		memcpy(end, bytes, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buffer_char(struct buffer *b, char c)
{
	char *end = buffer_reserve(b, 1);

	if (!end)
		return;
	end[0] = c;
	end[1] = '\0';
	b->len++;
}

void buffer_text(struct buffer *b, const char *text)
{
	buffer_add(b, text, strlen(text));
}

void buffer_uint(struct buffer *b, uint64_t n)
{
	char digits[20]; /* of 2^64 - 1 */
	size_t start = sizeof(digits);

	do {
		digits[--start] = (char)('0' + n % 10);
		n /= 10;
	} while (n != 0);
	buffer_add(b, digits + start, sizeof(digits) - start);
}

void buffer_format(struct buffer *b, const char *format, ...)
{
	va_list args;
	size_t room = 128;

	for (;;) {
		char *end = buffer_reserve(b, room);
		int len;

		if (!end) {
			if (b->data)
				b->data[b->len] = '\0'; /* half a line of the first try */
			return;
		}
		va_start(args, format);
		len = vsnprintf(end, room + 1, format, args);
		va_end(args);
		if (len < 0) {
			*end = '\0';
			b->failed = true;
			return;
		}
		if ((size_t)len <= room) {
			b->len += (size_t)len;
			return;
		}
		room = (size_t)len;
	}
}
