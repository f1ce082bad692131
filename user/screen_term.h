/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal of the live screen: taken, sized, suspended and given back.
 * Here alone it is decided how a mark looks.
 */
#ifndef CLOCKTOP_SCREEN_TERM_H
#define CLOCKTOP_SCREEN_TERM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether there is a terminal that can be drawn on: one that is known and can
 * place its cursor.  When not, *reason says why, for a message. */
bool term_usable(const char **reason);

/* Takes the terminal.  0 or -errno. */
int term_open(void);

/* Gives it back as it was.  Does nothing when it is not taken. */
void term_close(void);

/* The descriptor to poll for keys; -1 for none. */
int term_fd(void);

/* The next key: a character, or one of ncurses' KEY_* with *is_key set.
 * TERM_NONE: no key waits.  TERM_GONE: there is no terminal any more. */
#define TERM_NONE (-1)
#define TERM_GONE (-2)
int term_key(bool *is_key);

/* Asks the terminal for its size again, and draws everything anew next time. */
void term_resize(void);

/* Stops the program as Ctrl-Z does, with the terminal given back meanwhile;
 * returns when it goes on.  SIGTSTP is blocked before and after. */
void term_suspend(void);

/* Takes the terminal again after something else may have changed its modes. */
void term_resume(void);

/* Whether a picture can go out now: not to a terminal that was stopped (Ctrl-S)
 * or that nobody reads. */
bool term_takes_more(void);

size_t term_width(void);
size_t term_height(void);

enum term_look {
	TERM_PLAIN,
	TERM_TITLE,
	TERM_GOOD,
	TERM_BAD,
	TERM_FAINT,
	TERM_HEADING,	 /* of the table */
	TERM_HEADING_BY, /* the column that it is sorted by */
	TERM_SELECTED,
	NR_TERM_LOOK,
};

/* Starts a new picture; term_flush() shows it.  A terminal that does not take it
 * is waited for, until a signal asks for the end (see signals_writing()). */
void term_clear(void);
void term_flush(void);

/* Puts safe text at a place, cut at the right margin. */
void term_put(size_t line, size_t column, enum term_look look, const char *text);

/* Gives `width` columns of a line another look. */
void term_paint(size_t line, size_t column, size_t width, enum term_look look);

/* Shows the cursor at a place, or nowhere. */
void term_cursor(size_t line, size_t column);
void term_no_cursor(void);

#endif
