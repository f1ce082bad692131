/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the live screen is in its table: the lines that there are (rows, and
 * the parts of rows that are open), which of them is selected, and which are
 * in sight.  The selection follows its process, not its line.  It knows no
 * terminal.
 */
#ifndef CLOCKTOP_SCREEN_LIST_H
#define CLOCKTOP_SCREEN_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "table.h"

/* One line. */
struct list_line {
	const struct table_row *row;
	const struct table_part *part; /* NULL: the row itself */
};

struct list {
	struct table *table;
	size_t nr_rows, nr_lines;
	struct ledger_key *open; /* rows whose parts are shown */
	size_t nr_open, open_room;
	bool following;	       /* a line was chosen; else it is always the first */
	struct ledger_key key; /* of the row that was chosen, and of its part */
	bool on_part;
	uint64_t part;
	size_t at;     /* the selected line; 0 where there is none */
	size_t top;    /* the first line in sight */
	size_t height; /* lines in sight */
};

/* Zero it before first use. */
void list_free(struct list *l);

/* Makes the rows of a view of this table anew and finds the selection again:
 * its process; or, where that is gone, what stands in its place now.
 * 0 or -ENOMEM. */
int list_refresh(struct list *l, struct table *t, const struct table_view *view,
		 struct users *users);

/* Says how many lines are in sight; the selected one is kept among them. */
void list_set_height(struct list *l, size_t height);

/* The line at a place below nr_lines.  The rows are those of the last
 * list_refresh(). */
struct list_line list_at(struct list *l, size_t line);

/* Selects the line that lies `by` further; the first or last if none does. */
void list_move(struct list *l, long by);

/* Selects nothing: the first line, whatever comes to stand there. */
void list_release(struct list *l);

/* The selected row; NULL where there is none. */
const struct table_row *list_selected(struct list *l);

/* Opens or closes the selected row.  A row with one part has nothing to
 * show.  false: there was nothing to do, or no memory. */
bool list_open(struct list *l, bool open);
bool list_is_open(const struct list *l, const struct table_row *row);

#endif
