/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which columns of a table fit in a width, how wide each becomes, and the
 * lines that come of it; the same for every view.  It knows nothing of what
 * the cells say.
 */
#ifndef CLOCKTOP_LAYOUT_H
#define CLOCKTOP_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

enum layout_align {
	LAYOUT_LEFT,
	LAYOUT_RIGHT,
};

struct layout_column {
	const char *name;
	enum layout_align align;
	unsigned int rank; /* 1 is the last to be left out where room is short */
	unsigned int min;  /* what it may be cut down to; 0: it is never cut */
	unsigned int max;  /* what it takes before others had theirs; 0: all it needs */
	bool spare;	   /* shown only where nothing else is cut */
	/* Writes the cell of a line, safe for a terminal, at most size bytes with
	 * the NUL.  What follows a LAYOUT_TAIL survives when the cell is cut. */
	void (*print)(char *buf, size_t size, const void *line);
};

#define LAYOUT_TAIL '\t'
#define LAYOUT_CELL 1024 /* bytes of a cell at most */

/* The cells of some lines. */
struct layout {
	const struct layout_column *const *columns;
	size_t nr_columns;
	size_t *want;	/* width that each column asked for so far */
	size_t *widths; /* after layout_fit(); 0: left out */
	char *text;	/* all cells, one after the other */
	size_t used, room;
	size_t *cells; /* offsets into text, nr_columns a line */
	size_t nr_lines, line_room;
	bool failed; /* no memory for some line */
};

/* Starts a layout of these columns (owned by the caller).  0 or -ENOMEM.
 * layout_free() gives back its memory after any result. */
int layout_init(struct layout *l, const struct layout_column *const *columns, size_t nr);
void layout_free(struct layout *l);

/* Forgets the lines.  The widths asked for stay, so that columns of a table
 * that is drawn again and again do not jump. */
void layout_clear(struct layout *l);

/* Prints one line's cells, for the columns' print functions.  0 or -ENOMEM. */
int layout_add(struct layout *l, const void *line);

/* Decides which columns fit in width and how wide they are: by rank, each with
 * what it needs at least; what is left over goes to those that are cut, by rank
 * again, first up to their max and then up to all they ask for; and at last to
 * the spare columns. */
void layout_fit(struct layout *l, size_t width);

/* The heading (line LAYOUT_HEADING) or a line, cut or padded to the widths,
 * without blanks at its end.  utf8: whether "…" can mark a cut, else "+".
 * Writes at most size bytes with the NUL; returns the length. */
#define LAYOUT_HEADING ((size_t)-1)
size_t layout_line(const struct layout *l, size_t line, bool utf8, char *buf, size_t size);

/* Where a column begins, in columns of the terminal, and how wide it is.
 * false when it is left out. */
bool layout_place(const struct layout *l, size_t column, size_t *start, size_t *width);

/* Bytes that a line can take at most, with its NUL. */
size_t layout_line_size(const struct layout *l);

#endif
