// SPDX-License-Identifier: GPL-2.0-only
#include "screen_pager.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void pager_free(struct pager *p)
{
	free(p->text);
	free(p->lines);
	memset(p, 0, sizeof(*p));
}

static void clamp(struct pager *p)
{
	size_t last = p->nr > p->height ? p->nr - p->height : 0;

	if (p->top > last)
		p->top = last;
}

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (; *text; nr++) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return nr;
}

int pager_set(struct pager *p, const char *text)
{
	size_t nr = count_lines(text);
	char *copy = strdup(text);
	const char **lines = calloc(nr + 1, sizeof(*lines));

	if (!copy || !lines) {
		free(copy);
		free(lines);
		return -ENOMEM;
	}
	free(p->text);
	free(p->lines);
	p->text = copy;
	p->lines = lines;
	p->nr = nr;
	for (size_t i = 0; i < nr; i++) {
		lines[i] = copy;
		copy += strcspn(copy, "\n");
		if (*copy)
			*copy++ = '\0';
	}
	clamp(p);
	return 0;
}

void pager_set_height(struct pager *p, size_t height)
{
	p->height = height;
	clamp(p);
}

void pager_move(struct pager *p, long by)
{
	size_t back = by < 0 ? 0 - (size_t)by : 0;

	if (by >= 0)
		p->top += (size_t)by;
	else
		p->top -= back < p->top ? back : p->top;
	clamp(p);
}
