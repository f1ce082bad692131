/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CSV as RFC 4180 has it, but with LF line ends, into a buffer.  A field that
 * holds a comma, a quote, a CR or an LF stands in quotes, its quotes doubled;
 * all other bytes stand as they are, so the file parses to the same fields
 * whatever they hold.  Bytes that are no UTF-8 become U+FFFD.
 */
#ifndef CLOCKTOP_CSV_H
#define CLOCKTOP_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

/* Start with { .out = &buffer }.  Errors are those of the buffer. */
struct csv {
	struct buffer *out;
	bool comma; /* not the line's first field */
};

void csv_bytes(struct csv *c, const char *bytes, size_t len);
void csv_text(struct csv *c, const char *text);
void csv_uint(struct csv *c, uint64_t value);
/* With that many decimals; empty when it is not finite. */
void csv_double(struct csv *c, double value, int decimals);

void csv_line_end(struct csv *c);

#endif
