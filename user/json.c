// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "text.h"

static void add_escape(struct buffer *out, uint32_t c)
{
	switch (c) {
	case '"':
		buffer_text(out, "\\\"");
		break;
	case '\\':
		buffer_text(out, "\\\\");
		break;
	case '\n':
		buffer_text(out, "\\n");
		break;
	case '\r':
		buffer_text(out, "\\r");
		break;
	case '\t':
		buffer_text(out, "\\t");
		break;
	default:
		if (c < 0x10000) {
			buffer_format(out, "\\u%04x", c);
		} else { /* a surrogate pair, as RFC 8259 section 7 wants it */
			c -= 0x10000;
			buffer_format(out, "\\u%04x\\u%04x", 0xd800 + (c >> 10),
				      0xdc00 + (c & 0x3ff));
		}
	}
}

static bool stands_for_itself(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void add_string(struct buffer *out, const char *bytes, size_t len)
{
	buffer_char(out, '"');
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t c;

		for (n = 0; i + n < len && stands_for_itself((unsigned char)bytes[i + n]); n++)
			;
		if (n != 0) {
			buffer_add(out, bytes + i, n);
			continue;
		}
		n = text_char(bytes + i, len - i, &c);
		if (c == TEXT_INVALID)
			buffer_text(out, "\xef\xbf\xbd");
		else if (c < 0x7f || text_is_unsafe(c))
			add_escape(out, c);
		else
			buffer_add(out, bytes + i, n);
	}
	buffer_char(out, '"');
}

/* What stands before a value. */
static void start(struct json *j, const char *key)
{
	if (j->comma)
		buffer_char(j->out, ',');
	j->comma = true;
	if (key) {
		add_string(j->out, key, strlen(key));
		buffer_char(j->out, ':');
	}
}

static void begin(struct json *j, const char *key, char bracket)
{
	start(j, key);
	buffer_char(j->out, bracket);
	j->comma = false;
}

static void end(struct json *j, char bracket)
{
	buffer_char(j->out, bracket);
	j->comma = true;
}

void json_object(struct json *j, const char *key)
{
	begin(j, key, '{');
}

void json_object_end(struct json *j)
{
	end(j, '}');
}

void json_array(struct json *j, const char *key)
{
	begin(j, key, '[');
}

void json_array_end(struct json *j)
{
	end(j, ']');
}

void json_bytes(struct json *j, const char *key, const char *bytes, size_t len)
{
	start(j, key);
	add_string(j->out, bytes, len);
}

void json_text(struct json *j, const char *key, const char *text)
{
	json_bytes(j, key, text, strlen(text));
}

void json_uint(struct json *j, const char *key, uint64_t value)
{
	start(j, key);
	buffer_uint(j->out, value);
}

void json_int(struct json *j, const char *key, int64_t value)
{
	start(j, key);
	buffer_format(j->out, "%" PRId64, value);
}

void json_double(struct json *j, const char *key, double value, int decimals)
{
	if (!isfinite(value)) {
		json_null(j, key);
		return;
	}
	start(j, key);
	buffer_format(j->out, "%.*f", decimals, value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	start(j, key);
	buffer_text(j->out, value ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
	start(j, key);
	buffer_text(j->out, "null");
}

void json_number(struct json *j, const char *key, const char *number)
{
	start(j, key);
	buffer_text(j->out, number[0] != '\0' ? number : "null");
}

void json_line_end(struct json *j)
{
	buffer_char(j->out, '\n');
	j->comma = false;
}
