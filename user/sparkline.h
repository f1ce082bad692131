/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of bars: the last values of a quantity, one character each.  Pure. */
#ifndef CLOCKTOP_SPARKLINE_H
#define CLOCKTOP_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

#define SPARKLINE_VALUES 256

/* The last values, in a ring; zero it before first use. */
struct sparkline {
	double values[SPARKLINE_VALUES];
	size_t nr; /* values ever added */
};

void sparkline_add(struct sparkline *s, double value);

/* Draws the last `width` values at most, oldest first, as parts of the largest
 * of them: nothing is the lowest bar, everything else at least the second.
 * In UTF-8 or in ASCII; NUL-terminated, whole characters only.  Returns buf. */
char *sparkline_draw(const struct sparkline *s, size_t width, bool utf8, char *buf, size_t size);

#endif
