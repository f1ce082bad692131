// SPDX-License-Identifier: GPL-2.0-only
#include "layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define GAP 1 /* blanks between columns */

int layout_init(struct layout *l, const struct layout_column *const *columns, size_t nr)
{
	*l = (struct layout){.columns = columns, .nr_columns = nr};
	l->want = calloc(nr, sizeof(*l->want));
	l->widths = calloc(nr, sizeof(*l->widths));
	if (!l->want || !l->widths)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		l->want[i] = text_width(columns[i]->name);
	return 0;
}

void layout_free(struct layout *l)
{
	free(l->want);
	free(l->widths);
	free(l->text);
	free(l->cells);
	*l = (struct layout){0};
}

void layout_clear(struct layout *l)
{
	l->used = 0;
	l->nr_lines = 0;
	l->failed = false;
}

static int make_room(struct layout *l)
{
	size_t need = l->used + l->nr_columns * LAYOUT_CELL;

	if (need > l->room) {
		size_t room = need > 2 * l->room ? need : 2 * l->room;
		char *text = realloc(l->text, room);

		if (!text)
			return -ENOMEM;
		l->text = text;
		l->room = room;
	}
	if (l->nr_lines == l->line_room) {
		size_t room = l->line_room ? 2 * l->line_room : 64;
		size_t *cells = reallocarray(l->cells, room, l->nr_columns * sizeof(*cells));

		if (!cells)
			return -ENOMEM;
		l->cells = cells;
		l->line_room = room;
	}
	return 0;
}

/* A cell's two halves: what can be cut, and what cannot. */
static const char *tail_of(const char *cell)
{
	const char *tail = strchr(cell, LAYOUT_TAIL);

	return tail ? tail + 1 : cell + strlen(cell);
}

static size_t cell_width(const char *cell)
{
	/* the mark itself counts for one column in text_width() */
	return text_width(cell) - (strchr(cell, LAYOUT_TAIL) != NULL);
}

int layout_add(struct layout *l, const void *line)
{
	if (make_room(l)) {
		l->failed = true;
		return -ENOMEM;
	}
	for (size_t i = 0; i < l->nr_columns; i++) {
		char *cell = l->text + l->used;
		size_t width;

		cell[0] = '\0';
		l->columns[i]->print(cell, LAYOUT_CELL, line);
		l->cells[l->nr_lines * l->nr_columns + i] = l->used;
		l->used += strlen(cell) + 1;
		width = cell_width(cell);
		if (width > l->want[i])
			l->want[i] = width;
	}
	l->nr_lines++;
	return 0;
}

/* What a column takes at the least. */
static size_t least(const struct layout *l, size_t i)
{
	const struct layout_column *c = l->columns[i];
	size_t name = text_width(c->name);
	size_t min = c->min > name ? c->min : name;

	return c->min && min < l->want[i] ? min : l->want[i];
}

/* What it takes once every column has its least: its max, or all it asks for. */
static size_t most(const struct layout *l, size_t i, bool all)
{
	size_t max = l->columns[i]->max;

	if (all || !max || max > l->want[i])
		return l->want[i];
	return max;
}

/* The column that comes next by rank after `rank` and `place`. */
static bool next_by_rank(const struct layout *l, size_t *at)
{
	size_t best = l->nr_columns;

	for (size_t i = 0; i < l->nr_columns; i++) {
		bool after = *at == l->nr_columns || l->columns[i]->rank > l->columns[*at]->rank ||
			     (l->columns[i]->rank == l->columns[*at]->rank && i > *at);

		if (after &&
		    (best == l->nr_columns || l->columns[i]->rank < l->columns[best]->rank))
			best = i;
	}
	*at = best;
	return best < l->nr_columns;
}

/* Hands out what is left over, by rank.  Returns what still is. */
static size_t hand_out(struct layout *l, size_t left, bool all)
{
	size_t at = l->nr_columns;

	while (left && next_by_rank(l, &at)) {
		size_t more;

		if (!l->widths[at] || most(l, at, all) <= l->widths[at])
			continue;
		more = most(l, at, all) - l->widths[at];
		if (more > left)
			more = left;
		l->widths[at] += more;
		left -= more;
	}
	return left;
}

/* Gives columns their least, by rank, until one does not fit.  Returns what
 * they take. */
static size_t choose(struct layout *l, size_t used, size_t width, bool spare)
{
	size_t at = l->nr_columns;

	while (next_by_rank(l, &at)) {
		size_t need = least(l, at) + (used ? GAP : 0);

		if (l->columns[at]->spare != spare)
			continue;
		if (used + need > width && used)
			break;
		l->widths[at] = least(l, at) < width ? least(l, at) : width;
		used += need;
	}
	return used;
}

void layout_fit(struct layout *l, size_t width)
{
	size_t used;

	memset(l->widths, 0, l->nr_columns * sizeof(*l->widths));
	used = choose(l, 0, width, false);
	if (used >= width)
		return;
	used = width - hand_out(l, hand_out(l, width - used, false), true);
	choose(l, used, width, true);
}

/* A buffer that is filled from the front and never overrun. */
struct out {
	char *buf;
	size_t size, len;
};

static void put(struct out *o, const char *s, size_t len)
{
	if (o->len + len >= o->size)
		return;
	memcpy(o->buf + o->len, s, len);
	o->len += len;
	o->buf[o->len] = '\0';
}

static void put_blanks(struct out *o, size_t n)
{
	while (n--)
		put(o, " ", 1);
}

/* A cell in exactly `width` columns. */
static void put_cell(struct out *o, const char *cell, size_t width, enum layout_align align,
		     bool utf8)
{
	const char *tail = tail_of(cell);
	size_t head_len = strcspn(cell, (const char[]){LAYOUT_TAIL, '\0'});
	size_t tail_width = text_width(tail);
	size_t blanks = 0, taken = cell_width(cell);
	bool cut = taken > width;

	if (cut) {
		size_t len;

		if (tail_width >= width)
			tail = "", tail_width = 0;
		len = text_fit(cell, width - tail_width - 1);
		head_len = len < head_len ? len : head_len;
	} else {
		blanks = width - taken;
	}
	if (align == LAYOUT_RIGHT)
		put_blanks(o, blanks);
	put(o, cell, head_len);
	if (cut) {
		char head[LAYOUT_CELL];
		size_t gap;

		memcpy(head, cell, head_len);
		head[head_len] = '\0';
		put(o, utf8 ? "…" : "+", utf8 ? strlen("…") : 1);
		/* a character two columns wide may have left one over */
		gap = width - tail_width - 1 - text_width(head);
		put_blanks(o, gap);
	}
	put(o, tail, strlen(tail));
	if (align == LAYOUT_LEFT)
		put_blanks(o, blanks);
}

size_t layout_line(const struct layout *l, size_t line, bool utf8, char *buf, size_t size)
{
	struct out o = {.buf = buf, .size = size};
	bool first = true;

	if (!size)
		return 0;
	buf[0] = '\0';
	for (size_t i = 0; i < l->nr_columns; i++) {
		const char *cell;

		if (!l->widths[i])
			continue;
		if (!first)
			put_blanks(&o, GAP);
		first = false;
		cell = line == LAYOUT_HEADING ? l->columns[i]->name
					      : l->text + l->cells[line * l->nr_columns + i];
		put_cell(&o, cell, l->widths[i], l->columns[i]->align, utf8);
	}
	while (o.len && buf[o.len - 1] == ' ')
		buf[--o.len] = '\0';
	return o.len;
}

bool layout_place(const struct layout *l, size_t column, size_t *start, size_t *width)
{
	*start = 0;
	for (size_t i = 0; i < column; i++)
		if (l->widths[i])
			*start += l->widths[i] + GAP;
	*width = l->widths[column];
	return *width != 0;
}

size_t layout_line_size(const struct layout *l)
{
	return l->nr_columns * (LAYOUT_CELL + GAP + strlen("…")) + 1;
}
