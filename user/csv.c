// SPDX-License-Identifier: GPL-2.0-only
#include "csv.h"

#include <math.h>
#include <string.h>

#include "text.h"

static void start(struct csv *c)
{
	if (c->comma)
		buffer_char(c->out, ',');
	c->comma = true;
}

static bool is_special(char c)
{
	return c == ',' || c == '"' || c == '\r' || c == '\n';
}

/* Adds valid UTF-8, with quotes doubled when they must be. */
static void add(struct buffer *out, const char *bytes, size_t len, bool quoted)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t character;

		for (n = 0; i + n < len && bytes[i + n] != '"' && (bytes[i + n] & 0x80) == 0; n++)
			;
		if (n != 0) {
			buffer_add(out, bytes + i, n);
			continue;
		}
		n = text_char(bytes + i, len - i, &character);
		if (character == TEXT_INVALID) {
			buffer_text(out, "\xef\xbf\xbd");
			continue;
		}
		if (character == '"' && quoted)
			buffer_char(out, '"');
		buffer_add(out, bytes + i, n);
	}
}

void csv_bytes(struct csv *c, const char *bytes, size_t len)
{
	bool quoted = false;

	start(c);
	for (size_t i = 0; i < len && !quoted; i++)
		quoted = is_special(bytes[i]);
	if (quoted)
		buffer_char(c->out, '"');
	add(c->out, bytes, len, quoted);
	if (quoted)
		buffer_char(c->out, '"');
}

void csv_text(struct csv *c, const char *text)
{
	csv_bytes(c, text, strlen(text));
}

void csv_uint(struct csv *c, uint64_t value)
{
	start(c);
	buffer_uint(c->out, value);
}

void csv_double(struct csv *c, double value, int decimals)
{
	start(c);
	if (isfinite(value))
		buffer_format(c->out, "%.*f", decimals, value);
}

void csv_line_end(struct csv *c)
{
	buffer_char(c->out, '\n');
	c->comma = false;
}
