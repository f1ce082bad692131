// SPDX-License-Identifier: GPL-2.0-only
/* Draws the live screen: header, table, bottom line; or a panel of text. */
#include "screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen_term.h"
#include "text.h"

#define ROWS_WANTED 4 /* below, lines of the header that can be spared go */
#define SPARE_LINE 3  /* what a read costs */

void screen_note(struct screen *s, const char *format, ...)
{
	char text[sizeof(s->note)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	text_safe(s->note, sizeof(s->note), text, strlen(text), s->view.utf8);
}

static enum term_look look_of(enum header_mark mark)
{
	static const enum term_look looks[] = {
	    [HEADER_PLAIN] = TERM_PLAIN, [HEADER_TITLE] = TERM_TITLE, [HEADER_GOOD] = TERM_GOOD,
	    [HEADER_BAD] = TERM_BAD,	 [HEADER_FAINT] = TERM_FAINT,
	};

	return looks[mark];
}

/* Returns the first line below. */
static size_t draw_header(const struct screen *s)
{
	const struct header *h = &s->header;
	bool spare = term_height() < h->nr + 2 + ROWS_WANTED;
	size_t y = 0;

	for (size_t l = 0; l < h->nr; l++) {
		size_t start[HEADER_WORDS];

		if (spare && l == SPARE_LINE)
			continue;
		header_place(h, &h->lines[l], term_width(), start);
		for (size_t i = 0; i < h->lines[l].nr; i++) {
			const struct header_word *w = &h->lines[l].words[i];

			if (start[i] != HEADER_OUT)
				term_put(y, start[i], look_of(w->mark), header_text(h, w));
		}
		y++;
	}
	if (term_height() >= y + 2 + 4 * ROWS_WANTED)
		y++;
	return y;
}

void screen_new_columns(struct screen *s)
{
	layout_free(&s->layout);
	s->nr_columns = table_columns(s->columns, &s->view.what, &s->traits);
	if (layout_init(&s->layout, s->columns, s->nr_columns))
		s->layout.nr_columns = 0; /* no memory: nothing is drawn */
}

/* Notes what the rows in sight are like; a column that came stays. */
static void look_at_rows(struct screen *s, size_t first, size_t last)
{
	struct table_traits before = s->traits;

	for (size_t i = first; i < last; i++)
		table_traits_add(&s->traits, list_at(&s->list, i).row);
	if (!s->layout.nr_columns || s->traits.foreign_abi != before.foreign_abi ||
	    s->traits.containers != before.containers)
		screen_new_columns(s);
}

static void lay_out(struct screen *s, size_t first, size_t last)
{
	layout_clear(&s->layout);
	for (size_t i = first; i < last && s->layout.nr_columns; i++) {
		struct list_line at = list_at(&s->list, i);
		struct table_line line = {
		    .row = at.row,
		    .part = at.part,
		    .utf8 = s->view.utf8,
		};

		if (s->commands && !at.part && s->view.what.group == GROUP_PROCESS)
			line.command = command_lines_get(&s->command_lines, at.row->proc);
		if (layout_add(&s->layout, &line))
			return;
	}
	layout_fit(&s->layout, term_width());
}

/* Why there are no rows. */
static const char *empty_text(const struct screen *s)
{
	if (!s->view.measured)
		return "Counting: the first figures come after the first interval.";
	if (s->view.what.text)
		return "Nothing matches the filter. Press / to change it.";
	return "No process made a clock syscall.";
}

static void draw_heading(struct screen *s, size_t y, char *line, size_t size)
{
	size_t by = table_sort_column(s->columns, s->nr_columns, s->view.what.sort);
	size_t start, width;

	layout_line(&s->layout, LAYOUT_HEADING, s->view.utf8, line, size);
	term_put(y, 0, TERM_HEADING, line);
	term_paint(y, 0, term_width(), TERM_HEADING);
	if (by < s->nr_columns && layout_place(&s->layout, by, &start, &width))
		term_paint(y, start, width, TERM_HEADING_BY);
}

static void draw_table(struct screen *s, size_t y, size_t height)
{
	struct list *l = &s->list;
	size_t last, size;
	char *line;

	list_set_height(l, height - 1);
	last = l->top + l->height < l->nr_lines ? l->top + l->height : l->nr_lines;
	look_at_rows(s, l->top, last);
	if (!s->layout.nr_columns)
		return;
	lay_out(s, l->top, last);
	size = layout_line_size(&s->layout);
	line = malloc(size);
	if (!line)
		return;
	draw_heading(s, y++, line, size);
	for (size_t i = 0; i < s->layout.nr_lines; i++, y++) {
		bool faint = list_at(l, l->top + i).row->exited;

		layout_line(&s->layout, i, s->view.utf8, line, size);
		term_put(y, 0, faint ? TERM_FAINT : TERM_PLAIN, line);
		if (l->top + i == l->at)
			term_paint(y, 0, term_width(), TERM_SELECTED);
	}
	if (!l->nr_lines)
		term_put(y, 1, TERM_PLAIN, empty_text(s));
	free(line);
}

static void draw_pager(struct screen *s, const char *title)
{
	struct pager *p = &s->pager;

	term_put(0, 0, TERM_HEADING, title);
	term_paint(0, 0, term_width(), TERM_HEADING);
	pager_set_height(p, term_height() - 2);
	for (size_t i = 0; i < p->height && p->top + i < p->nr; i++)
		term_put(1 + i, 0, TERM_PLAIN, p->lines[p->top + i]);
}

/* The bottom line: a prompt, a note, or the keys that there is room for. */
static void draw_bottom(const struct screen *s, const char *note, const char *const *hints,
			size_t at, size_t nr)
{
	size_t y = term_height() - 1, x = 0, right = term_width();
	char place[2 * TEXT_NUMBER + 2], a[TEXT_NUMBER], b[TEXT_NUMBER];
	char typed[TEXT_SAFE_SIZE(PROMPT_TEXT)];

	if (s->prompting) {
		const char *name =
		    s->prompting == PROMPT_FILTER ? "filter: " : "delay in seconds: ";

		text_safe(typed, sizeof(typed), s->prompt.text, s->prompt.len, s->view.utf8);
		term_put(y, 0, TERM_TITLE, name);
		term_put(y, strlen(name), TERM_PLAIN, typed);
		term_cursor(y, strlen(name) + text_width(typed));
		return;
	}
	if (nr) {
		snprintf(place, sizeof(place), "%s/%s", text_count(a, sizeof(a), at + 1),
			 text_count(b, sizeof(b), nr));
		right -= strlen(place);
		term_put(y, right, TERM_PLAIN, place);
	}
	if (note[0]) {
		term_put(y, 0, TERM_TITLE, note);
		return;
	}
	for (; *hints; hints++) {
		size_t width = text_width(*hints) + 2;

		if (x + width > right)
			break;
		term_put(y, x, TERM_PLAIN, *hints);
		x += width;
	}
}

static void draw_table_panel(struct screen *s)
{
	static const char *const hints[] = {"q quit",	"? help",    "Enter why", "s sort",
					    "/ filter", "g group",   "H threads", "Space pause",
					    "w save",	"c command", "d delay",	  NULL};
	char filter[sizeof("filter: ") + TEXT_SAFE_SIZE(PROMPT_TEXT)] = "";
	size_t y = draw_header(s);

	draw_table(s, y, term_height() - 1 - y);
	if (s->filter[0]) {
		size_t len = strlen(strcpy(filter, "filter: "));

		text_safe(filter + len, sizeof(filter) - len, s->filter, strlen(s->filter),
			  s->view.utf8);
	}
	draw_bottom(s, s->note[0] ? s->note : filter, hints, s->list.at, s->list.nr_lines);
}

static void draw_why_panel(struct screen *s)
{
	static const char *const hints[] = {"q quit", "Esc back", "Up Down PgUp PgDn scroll", NULL};
	char name[TEXT_SAFE_SIZE(TASK_COMM)], title[sizeof(name) + 64];

	text_safe(name, sizeof(name), s->why_name, strlen(s->why_name), s->view.utf8);
	snprintf(title, sizeof(title), "Why %s, pid %u%s%s", name, s->why.pid,
		 s->why_gone ? " (exited)" : "", s->frozen ? "  paused" : "");
	draw_pager(s, title);
	draw_bottom(s, s->note, hints, s->pager.top, s->pager.nr);
}

static void draw_help_panel(struct screen *s)
{
	static const char *const hints[] = {"q quit", "Esc back", "Up Down PgUp PgDn scroll", NULL};

	draw_pager(s, "clocktop " CLOCKTOP_VERSION ": help");
	draw_bottom(s, s->note, hints, s->pager.top, s->pager.nr);
}

void screen_draw(struct screen *s)
{
	term_clear();
	term_no_cursor();
	if (term_width() < SCREEN_WIDTH || term_height() < SCREEN_HEIGHT)
		term_put(0, 0, TERM_PLAIN, "clocktop needs 40x10, q quits");
	else if (s->panel == PANEL_HELP)
		draw_help_panel(s);
	else if (s->panel == PANEL_WHY)
		draw_why_panel(s);
	else
		draw_table_panel(s);
	term_flush();
}
