/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A streaming JSON writer (RFC 8259) into a buffer, without line breaks: with
 * json_line_end() after each object it writes JSON Lines.  It keeps commas;
 * that objects and arrays are closed, and keys not repeated, is the caller's
 * part.
 */
#ifndef CLOCKTOP_JSON_H
#define CLOCKTOP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

/* Start with { .out = &buffer }.  Errors are those of the buffer. */
struct json {
	struct buffer *out;
	bool comma; /* something stands before, at this depth */
};

/* key is NULL within an array and at the top; keys are the program's own. */
void json_object(struct json *j, const char *key);
void json_object_end(struct json *j);
void json_array(struct json *j, const char *key);
void json_array_end(struct json *j);

/* Any bytes: those that are no UTF-8 become U+FFFD, and characters that a
 * terminal could act on are escaped (\u001b). */
void json_bytes(struct json *j, const char *key, const char *bytes, size_t len);
void json_text(struct json *j, const char *key, const char *text);

void json_uint(struct json *j, const char *key, uint64_t value);
void json_int(struct json *j, const char *key, int64_t value);
/* With that many decimals; null when it is not finite. */
void json_double(struct json *j, const char *key, double value, int decimals);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);

/* A number that is text already; "" is null. */
void json_number(struct json *j, const char *key, const char *number);

/* Ends a line, after the outermost object. */
void json_line_end(struct json *j);

#endif
