/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes that grow.  A buffer without memory drops what is added, remembers
 * that it did, and so is checked once, at the end, instead of at every step.
 */
#ifndef CLOCKTOP_BUFFER_H
#define CLOCKTOP_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer {
	char *data; /* len bytes and a NUL behind them; NULL while nothing was added */
	size_t len;
	size_t room;
	bool failed; /* something is missing */
};

/* Empties it, keeping its memory; it has then not failed. */
void buffer_clear(struct buffer *b);

/* Gives its memory back; b can be used again. */
void buffer_free(struct buffer *b);

/* What it holds as a string, "" while it is empty.  Owned by b. */
const char *buffer_string(const struct buffer *b);

/* Each adds at the end. */
void buffer_add(struct buffer *b, const void *bytes, size_t len);
void buffer_char(struct buffer *b, char c);
void buffer_text(struct buffer *b, const char *text);
void buffer_uint(struct buffer *b, uint64_t n); /* decimal */
void buffer_format(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes that will be added: makes room for them and returns where they go, or
 * NULL without memory.  The caller adds to b->len what it wrote. */
char *buffer_reserve(struct buffer *b, size_t len);

#endif
