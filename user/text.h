/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text that came from elsewhere, made fit to be shown; and numbers made fit
 * to be read.  Pure functions over values.
 */
#ifndef CLOCKTOP_TEXT_H
#define CLOCKTOP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies src (len bytes, any bytes) to dst as valid UTF-8: each maximal
 * invalid part becomes U+FFFD.  Control bytes stay.  Returns the length
 * without the NUL; dst needs 3 * len + 1 bytes at most. */
size_t text_valid_utf8(char *dst, size_t size, const char *src, size_t len);

/* Copies src to dst so that no terminal acts on it: control characters (C0,
 * DEL, C1), line and paragraph separators, bidirectional controls, and
 * invalid bytes become \n, \t, \e, \x9b or \u202e … as printable ASCII; with
 * utf8 false everything beyond ASCII does.  Always NUL-terminated and never
 * cut inside a character.  Returns the length. */
size_t text_safe(char *dst, size_t size, const char *src, size_t len, bool utf8);

/* Columns that a safe UTF-8 string takes on a terminal. */
size_t text_width(const char *s);

/* The bytes of s that fit in `width` columns, not cutting a character. */
size_t text_fit(const char *s, size_t width);

/* "1,390,979". Returns buf. */
char *text_count(char *buf, size_t size, uint64_t n);

/* As top shows totals: "1,904", "12.3 M", "4.56 G".  Returns buf. */
char *text_short(char *buf, size_t size, uint64_t n);

/* As perf stat shows rates: value and unit, "1.391 M/s", "140   /s". */
char *text_rate(char *buf, size_t size, double per_second);

#endif
