/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The live screen.  screen.c waits and refreshes, screen_keys.c says what each
 * key does, screen_draw.c draws; each of the modules beneath (list, pager,
 * prompt, terminal) knows nothing of the others.
 */
#ifndef CLOCKTOP_SCREEN_H
#define CLOCKTOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "command_lines.h"
#include "layout.h"
#include "scribe.h"
#include "screen_list.h"
#include "screen_pager.h"
#include "screen_prompt.h"
#include "table_columns.h"
#include "view.h"

/* The smallest terminal that shows something. */
#define SCREEN_WIDTH 40
#define SCREEN_HEIGHT 10

enum screen_panel {
	PANEL_TABLE,
	PANEL_HELP,
	PANEL_WHY,
};

enum screen_prompt {
	PROMPT_NONE,
	PROMPT_FILTER,
	PROMPT_DELAY,
};

struct screen {
	struct view view;
	struct scribe scribe;
	struct header header;
	struct list list;
	struct layout layout;
	const struct layout_column *columns[TABLE_COLUMNS];
	size_t nr_columns;
	struct table_traits traits;
	struct command_lines command_lines;
	bool commands; /* show command lines for names */

	/* While paused: what is shown, and what `w` writes. */
	struct table *frozen;
	struct interval frozen_interval;
	bool frozen_threads;

	enum screen_panel panel;
	struct pager pager;
	struct proc_id why; /* whose diagnosis is shown */
	char why_name[TASK_COMM];
	bool why_gone; /* it exited; its last diagnosis stays */
	struct interval folded;

	enum screen_prompt prompting;
	struct prompt prompt;
	char filter[PROMPT_TEXT]; /* what `/` left; view.what.text points to it */

	char note[256]; /* what the last key did; "" for nothing to say */
	bool end;
};

/* Runs to its end; signals_open() comes before, and term_usable() said yes.
 * Returns the exit status. */
int screen_run(const struct options *o);

/* Acts on one key; is_key says that it is one of ncurses' KEY_*. */
void screen_key(struct screen *s, int key, bool is_key);

/* Draws all of it. */
void screen_draw(struct screen *s);

/* Makes rows, selection and diagnosis anew after the numbers or the view
 * changed. */
void screen_refresh(struct screen *s);

/* Makes the header anew, unless the display is paused. */
void screen_new_header(struct screen *s);

/* The view has other columns than before. */
void screen_new_columns(struct screen *s);

/* Pauses the display, or goes on.  Counting always goes on. */
void screen_pause(struct screen *s, bool pause);

/* What the bottom line says until the next key.  The text is made safe. */
void screen_note(struct screen *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The help text. */
extern const char screen_help[];

#endif
