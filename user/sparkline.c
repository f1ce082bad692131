// SPDX-License-Identifier: GPL-2.0-only
#include "sparkline.h"

#include <math.h>
#include <string.h>

#define LEVELS 8

void sparkline_add(struct sparkline *s, double value)
{
	s->values[s->nr++ % SPARKLINE_VALUES] = value;
}

static size_t level_of(double value, double largest)
{
	size_t level;

	if (!(value > 0) || !(largest > 0))
		return 0;
	level = (size_t)ceil(value / largest * (LEVELS - 1));
	return level < LEVELS ? level : LEVELS - 1;
}

char *sparkline_draw(const struct sparkline *s, size_t width, bool utf8, char *buf, size_t size)
{
	static const char *const bars[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const ascii[LEVELS] = {"_", ".", ":", "-", "=", "+", "*", "#"};
	size_t nr = s->nr < SPARKLINE_VALUES ? s->nr : SPARKLINE_VALUES;
	size_t used = 0;
	double largest = 0;

	if (nr > width)
		nr = width;
	for (size_t i = s->nr - nr; i < s->nr; i++)
		largest = fmax(largest, s->values[i % SPARKLINE_VALUES]);
	for (size_t i = s->nr - nr; i < s->nr; i++) {
		size_t level = level_of(s->values[i % SPARKLINE_VALUES], largest);
		const char *bar = utf8 ? bars[level] : ascii[level];

		if (used + strlen(bar) >= size)
			break;
		memcpy(buf + used, bar, strlen(bar));
		used += strlen(bar);
	}
	if (size)
		buf[used] = '\0';
	return buf;
}
