/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text that came from elsewhere, made fit to be shown; and numbers made fit
 * to be read.  Pure functions over values, but for what they say of the
 * locale.
 */
#ifndef CLOCKTOP_TEXT_H
#define CLOCKTOP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the locale that setlocale() chose shows UTF-8. */
bool text_utf8(void);

/* Takes one character from s (len bytes, at least one).  Returns how many
 * bytes it has; *c is its code point, or TEXT_INVALID for bytes that are no
 * UTF-8 (overlong forms and surrogates are none either).  Then the return
 * value spans the maximal part of a character that was cut short, or one byte:
 * what Unicode (3.9, U+FFFD substitution of maximal subparts) replaces by one
 * U+FFFD. */
#define TEXT_INVALID 0xffffffffU
size_t text_char(const char *s, size_t len, uint32_t *c);

/* Whether a terminal, or a reader's eye, could be led astray by a character:
 * control characters (C0, DEL, C1), line and paragraph separators,
 * bidirectional controls, characters without width, noncharacters. */
bool text_is_unsafe(uint32_t c);

/* Copies src (len bytes, any bytes) to dst as valid UTF-8: each maximal
 * invalid part becomes U+FFFD.  Control bytes stay.  Returns the length
 * without the NUL; dst needs 3 * len + 1 bytes at most.  What does not fit is
 * left out, whole characters only. */
size_t text_valid_utf8(char *dst, size_t size, const char *src, size_t len);

/* Copies src to dst so that no terminal acts on it: characters that
 * text_is_unsafe(), combining ones at the head (they would join what stands
 * before), and invalid bytes become \n, \t, \r, \e, \x9b or \u202e … as
 * printable ASCII; with utf8 false everything beyond ASCII does.  A backslash
 * stays one, so safe text stays as it is.  Always NUL-terminated and never
 * cut inside a character or an escape.  Returns the length; TEXT_SAFE_SIZE
 * bytes always suffice. */
#define TEXT_SAFE_SIZE(len) (4 * (len) + 1)
size_t text_safe(char *dst, size_t size, const char *src, size_t len, bool utf8);

/* Columns that a safe UTF-8 string takes on a terminal (wcwidth, as ncurses
 * counts; beyond ASCII this needs a UTF-8 locale, else each counts 1). */
size_t text_width(const char *s);

/* The bytes of s that fit in `width` columns, not cutting a character, and
 * with the combining ones that belong to the last. */
size_t text_fit(const char *s, size_t width);

/* "1,390,979".  Returns buf; TEXT_NUMBER bytes suffice for all below. */
#define TEXT_NUMBER 32
char *text_count(char *buf, size_t size, uint64_t n);

/* As top shows totals: "1,904", "12.3 M", "4.56 G": in full below a million,
 * else three digits.  Returns buf. */
char *text_short(char *buf, size_t size, uint64_t n);

/* As perf stat shows rates, value and unit: "1.391 M/s", "12.345 K/s", three
 * decimals with a unit; below a thousand three digits, "140   /s",
 * "12.3  /s", "0.50  /s".  NAN: "?".  Returns buf. */
char *text_rate(char *buf, size_t size, double per_second);

#endif
