// SPDX-License-Identifier: GPL-2.0-only
/* What each key of the live screen does. */
#define NCURSES_WIDECHAR 1
#include "screen.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <curses.h>

#include "screen_term.h"
#include "snapshot.h"

#define ESCAPE 0x1b
#define CTRL_L 0x0c
#define LEAST_DELAY 0.1
#define MOST_DELAY 86400.0

static const char *const sort_names[NR_SORT] = {
    [SORT_RATE] = "rate",   [SORT_TOTAL] = "total", [SORT_CPU] = "cpu",
    [SORT_PID] = "pid",	    [SORT_USER] = "user",   [SORT_COMMAND] = "command",
    [SORT_CLOCK] = "clock", [SORT_CAUSE] = "cause",
};

static const char *const group_names[NR_GROUP] = {
    [GROUP_PROCESS] = "process",
    [GROUP_COMMAND] = "command",
    [GROUP_CONTAINER] = "container",
};

static void open_panel(struct screen *s, enum screen_panel panel)
{
	s->panel = panel;
	s->pager.top = 0;
	if (panel == PANEL_HELP && pager_set(&s->pager, screen_help))
		s->panel = PANEL_TABLE;
}

static void open_why(struct screen *s)
{
	const struct table_row *row = list_selected(&s->list);
	const struct interval *iv = &s->view.session.interval;

	if (!row || !row->proc.pid) {
		screen_note(s, "no process is selected");
		return;
	}
	s->why = row->proc;
	memcpy(s->why_name, row->comm, strnlen(row->comm, sizeof(s->why_name) - 1) + 1);
	/* The row of a container has no name; its process has. */
	for (size_t i = 0; !s->why_name[0] && i < iv->nr; i++)
		if (proc_id_equal(iv->records[i].proc, s->why))
			memcpy(s->why_name, iv->records[i].process, sizeof(s->why_name));
	s->why_gone = false;
	open_panel(s, PANEL_WHY);
	screen_refresh(s);
	if (row->processes > 1)
		screen_note(s, "pid %u is one of the row's %u processes", s->why.pid,
			    row->processes);
}

static void set_sort(struct screen *s)
{
	struct table_view *v = &s->view.what;

	v->sort = (enum sort)((v->sort + 1) % NR_SORT);
	screen_refresh(s);
	screen_note(s, "sorted by %s%s", sort_names[v->sort], v->reverse ? ", reversed" : "");
}

static void reverse(struct screen *s)
{
	struct table_view *v = &s->view.what;

	v->reverse = !v->reverse;
	screen_refresh(s);
	screen_note(s, "sorted by %s%s", sort_names[v->sort], v->reverse ? ", reversed" : "");
}

static void set_group(struct screen *s)
{
	struct table_view *v = &s->view.what;

	v->group = (enum group)((v->group + 1) % NR_GROUP);
	list_release(&s->list);
	screen_new_columns(s);
	screen_refresh(s);
	screen_note(s, "a row stands for a %s", group_names[v->group]);
}

static void set_threads(struct screen *s)
{
	struct table_view *v = &s->view.what;
	bool threads = v->group != GROUP_PROCESS || !v->threads;
	int err;

	if (s->frozen) { /* what is frozen was counted the other way */
		screen_note(s, "paused: Space goes on, then H");
		return;
	}
	v->group = GROUP_PROCESS;
	err = view_set_threads(&s->view, threads);
	list_release(&s->list);
	screen_new_columns(s);
	screen_refresh(s);
	if (err)
		screen_note(s, "%s", strerror(-err));
	else
		screen_note(s, "a row stands for a %s", threads ? "thread" : "process");
}

static void set_commands(struct screen *s)
{
	s->commands = !s->commands;
	screen_new_columns(s);
	screen_note(s, "%s", s->commands ? "full command lines" : "names");
}

static void save(struct screen *s)
{
	const struct interval *iv = s->frozen ? &s->frozen_interval : &s->view.session.shown;
	bool threads = s->frozen ? s->frozen_threads : s->view.records_threads;
	char name[SNAPSHOT_NAME];
	int err;

	if (!s->view.measured) {
		screen_note(s, "nothing to save before the first interval");
		return;
	}
	err = snapshot_write(&s->scribe, iv, threads, s->view.session.users, name);
	if (err)
		screen_note(s, "%s: %s", name, strerror(-err));
	else
		screen_note(s, "wrote %s", name);
}

static void set_filter(struct screen *s, const char *text)
{
	memmove(s->filter, text, strlen(text) + 1);
	s->view.what.text = s->filter[0] ? s->filter : NULL;
	screen_refresh(s);
}

static void set_delay(struct screen *s, const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds >= LEAST_DELAY && seconds <= MOST_DELAY)) {
		screen_note(s, "\"%s\" is not a number of seconds (0.1 or more)", text);
		return;
	}
	view_set_delay(&s->view, seconds);
	screen_new_header(s);
	screen_note(s, "every %g s", seconds);
}

static void start_prompt(struct screen *s, enum screen_prompt what)
{
	s->prompting = what;
	prompt_set(&s->prompt, what == PROMPT_FILTER ? s->filter : "");
}

/* A key while something is typed. */
static void prompt_key(struct screen *s, int key, bool is_key)
{
	enum screen_prompt what = s->prompting;

	if (is_key && key == KEY_BACKSPACE) {
		key = '\b';
		is_key = false;
	}
	if ((!is_key && (key == '\r' || key == '\n')) || (is_key && key == KEY_ENTER)) {
		s->prompting = PROMPT_NONE;
		if (what == PROMPT_DELAY && s->prompt.len)
			set_delay(s, s->prompt.text);
	} else if (!is_key && key == ESCAPE) {
		s->prompting = PROMPT_NONE;
		if (what == PROMPT_FILTER)
			set_filter(s, "");
	} else if (!is_key && prompt_type(&s->prompt, key) && what == PROMPT_FILTER) {
		set_filter(s, s->prompt.text);
	}
}

/* Moves by lines, in the table or in a panel's text. */
static void move_by(struct screen *s, long lines)
{
	if (s->panel == PANEL_TABLE)
		list_move(&s->list, lines);
	else
		pager_move(&s->pager, lines);
}

static long page(const struct screen *s)
{
	size_t height = s->panel == PANEL_TABLE ? s->list.height : s->pager.height;

	return height > 1 ? (long)height - 1 : 1;
}

/* Keys that move.  false: it is none of them. */
static bool move_key(struct screen *s, int key)
{
	switch (key) {
	case KEY_UP:
		move_by(s, -1);
		return true;
	case KEY_DOWN:
		move_by(s, 1);
		return true;
	case KEY_PPAGE:
		move_by(s, -page(s));
		return true;
	case KEY_NPAGE:
		move_by(s, page(s));
		return true;
	case KEY_HOME:
		move_by(s, -LONG_MAX);
		return true;
	case KEY_END:
		move_by(s, LONG_MAX);
		return true;
	default:
		return false;
	}
}

/* ncurses' keys. */
static void function_key(struct screen *s, int key)
{
	if (move_key(s, key))
		return;
	switch (key) {
	case KEY_F(1):
		open_panel(s, PANEL_HELP);
		break;
	case KEY_ENTER:
		if (s->panel == PANEL_TABLE)
			open_why(s);
		break;
	case KEY_RIGHT:
	case KEY_LEFT:
		if (s->panel == PANEL_TABLE && !list_open(&s->list, key == KEY_RIGHT) &&
		    key == KEY_RIGHT)
			screen_note(s, "there is one kind of call only");
		break;
	default:
		break;
	}
}

/* Characters that mean the same everywhere.  false: it is none of them. */
static bool common_key(struct screen *s, int key)
{
	switch (key) {
	case 'q':
	case 'Q':
		s->end = true;
		return true;
	case '?':
		open_panel(s, PANEL_HELP);
		return true;
	case CTRL_L:
		term_resize();
		return true;
	case 'k':
		move_by(s, -1);
		return true;
	case 'j':
		move_by(s, 1);
		return true;
	case 'w':
		save(s);
		return true;
	case ' ':
		screen_pause(s, !s->frozen);
		return true;
	default:
		return false;
	}
}

static void toggle_open(struct screen *s)
{
	if (!list_open(&s->list, true) && !list_open(&s->list, false))
		screen_note(s, "there is one kind of call only");
}

static void table_key(struct screen *s, int key)
{
	switch (key) {
	case '\r':
	case '\n':
		open_why(s);
		break;
	case ESCAPE:
		list_release(&s->list);
		break;
	case 'e':
		toggle_open(s);
		break;
	case 's':
		set_sort(s);
		break;
	case 'r':
		reverse(s);
		break;
	case '/':
		start_prompt(s, PROMPT_FILTER);
		break;
	case 'g':
		set_group(s);
		break;
	case 'H':
		set_threads(s);
		break;
	case 'c':
		set_commands(s);
		break;
	case 'd':
		start_prompt(s, PROMPT_DELAY);
		break;
	default:
		screen_note(s, "? shows the keys");
		break;
	}
}

void screen_key(struct screen *s, int key, bool is_key)
{
	if (is_key && key == KEY_RESIZE)
		return;
	s->note[0] = '\0';
	if (s->prompting)
		prompt_key(s, key, is_key);
	else if (is_key)
		function_key(s, key);
	else if (!common_key(s, key)) {
		if (s->panel == PANEL_TABLE)
			table_key(s, key);
		else if (key == ESCAPE)
			open_panel(s, PANEL_TABLE);
	}
}
