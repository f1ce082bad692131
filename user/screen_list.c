// SPDX-License-Identifier: GPL-2.0-only
#include "screen_list.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

void list_free(struct list *l)
{
	free(l->open);
	memset(l, 0, sizeof(*l));
}

static uint64_t part_key(const struct table_part *p)
{
	return p->others ? LEDGER_OTHERS : ledger_call_key(p->call, p->abi, p->via, p->clock);
}

static size_t open_index(const struct list *l, const struct ledger_key *key)
{
	size_t i = 0;

	while (i < l->nr_open && !ledger_same_key(&l->open[i], key))
		i++;
	return i;
}

bool list_is_open(const struct list *l, const struct table_row *row)
{
	return open_index(l, &row->key) < l->nr_open;
}

/* Lines that a row takes. */
static size_t lines_of(const struct list *l, const struct table_row *row)
{
	return l->nr_open && list_is_open(l, row) ? 1 + row->nr_parts : 1;
}

/* Counts lines, and forgets open rows that are not there any more. */
static void count_lines(struct list *l)
{
	size_t kept = 0;

	l->nr_lines = l->nr_rows;
	for (size_t i = 0; i < l->nr_open; i++) {
		ssize_t place = table_find(l->table, &l->open[i]);

		if (place < 0)
			continue;
		l->nr_lines += table_row(l->table, (size_t)place)->nr_parts;
		l->open[kept++] = l->open[i];
	}
	l->nr_open = kept;
}

/* The line of the row at a place in the order. */
static size_t line_of_row(struct list *l, size_t place)
{
	size_t line = place;

	for (size_t i = 0; i < l->nr_open; i++) {
		ssize_t other = table_find(l->table, &l->open[i]);

		if (other >= 0 && (size_t)other < place)
			line += table_row(l->table, (size_t)other)->nr_parts;
	}
	return line;
}

/* The place of the row that a line belongs to, and the line of that row. */
static size_t row_of_line(struct list *l, size_t line, size_t *first)
{
	size_t place = 0;

	*first = 0;
	if (!l->nr_open) {
		*first = line;
		return line;
	}
	for (;;) {
		size_t lines = lines_of(l, table_row(l->table, place));

		if (line < *first + lines)
			return place;
		*first += lines;
		place++;
	}
}

struct list_line list_at(struct list *l, size_t line)
{
	size_t first;
	const struct table_row *row = table_row(l->table, row_of_line(l, line, &first));

	return (struct list_line){row, line == first ? NULL : &row->parts[line - first - 1]};
}

/* Keeps the selected line in sight, and no empty lines below the last. */
static void scroll(struct list *l)
{
	if (l->at < l->top)
		l->top = l->at;
	if (l->height && l->at >= l->top + l->height)
		l->top = l->at - l->height + 1;
	if (l->top + l->height > l->nr_lines)
		l->top = l->nr_lines > l->height ? l->nr_lines - l->height : 0;
}

/* Selects a line, for good. */
static void choose(struct list *l, size_t line)
{
	struct list_line chosen;

	if (!l->nr_lines) {
		l->at = 0;
		return;
	}
	l->at = line < l->nr_lines ? line : l->nr_lines - 1;
	chosen = list_at(l, l->at);
	l->key = chosen.row->key;
	l->on_part = chosen.part != NULL;
	l->part = chosen.part ? part_key(chosen.part) : 0;
	l->following = true;
	scroll(l);
}

/* Finds the chosen line again.  false: its row is gone. */
static bool find_chosen(struct list *l)
{
	ssize_t place = table_find(l->table, &l->key);
	const struct table_row *row;

	if (place < 0)
		return false;
	l->at = line_of_row(l, (size_t)place);
	row = table_row(l->table, (size_t)place);
	if (!l->on_part || !list_is_open(l, row)) {
		l->on_part = false;
		return true;
	}
	for (size_t i = 0; i < row->nr_parts; i++)
		if (part_key(&row->parts[i]) == l->part) {
			l->at += 1 + i;
			return true;
		}
	l->on_part = false;
	return true;
}

int list_refresh(struct list *l, struct table *t, const struct table_view *view,
		 struct users *users)
{
	ssize_t nr = table_rows(t, view, users);

	l->table = t;
	l->nr_rows = nr < 0 ? 0 : (size_t)nr;
	count_lines(l);
	if (!l->following) {
		l->at = 0;
		l->top = 0;
	} else if (!find_chosen(l)) {
		choose(l, l->at);
	}
	scroll(l);
	return nr < 0 ? -ENOMEM : 0;
}

void list_set_height(struct list *l, size_t height)
{
	l->height = height;
	scroll(l);
}

void list_move(struct list *l, long by)
{
	size_t back = by < 0 ? 0 - (size_t)by : 0;

	if (back)
		choose(l, back < l->at ? l->at - back : 0);
	else if ((size_t)by >= l->nr_lines - l->at)
		choose(l, l->nr_lines ? l->nr_lines - 1 : 0);
	else
		choose(l, l->at + (size_t)by);
}

void list_release(struct list *l)
{
	l->following = false;
	l->at = 0;
	l->top = 0;
}

const struct table_row *list_selected(struct list *l)
{
	return l->nr_lines ? list_at(l, l->at).row : NULL;
}

bool list_open(struct list *l, bool open)
{
	const struct table_row *row = list_selected(l);
	struct ledger_key key;
	size_t i;

	if (!row || (open && row->nr_parts < 2))
		return false;
	key = row->key;
	i = open_index(l, &key);
	if (open == (i < l->nr_open))
		return false;
	if (!open) {
		l->open[i] = l->open[--l->nr_open];
	} else {
		struct ledger_key *keys =
		    array_room(l->open, l->nr_open, &l->open_room, sizeof(*keys));

		if (!keys)
			return false;
		l->open = keys;
		l->open[l->nr_open++] = key;
	}
	count_lines(l);
	l->key = key;
	l->on_part = false;
	l->following = true;
	find_chosen(l);
	scroll(l);
	return true;
}
