// SPDX-License-Identifier: GPL-2.0-only
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

#define COMMAND "$ "
#define LEAST_ROOM 10 /* columns of text, however far it is indented */

static const char *const starts[] = {
    [LINES_PLAIN] = "",
    [LINES_BOLD] = "\033[1m",
    [LINES_BAD] = "\033[1;31m",
    [LINES_GOOD] = "\033[32m",
};

void lines_styled(const struct lines *l, enum lines_style style, const char *text)
{
	bool styled = l->colour && style != LINES_PLAIN;

	fprintf(l->out, "%s%s%s", styled ? starts[style] : "", text, styled ? "\033[0m" : "");
}

static void pad(const struct lines *l, size_t columns)
{
	fprintf(l->out, "%*s", (int)columns, "");
}

/* How many bytes of text go on a line of `room` columns: whole words, but the
 * first one in any case. */
static size_t take_words(const char *text, size_t len, size_t room)
{
	size_t taken = 0, width = 0;

	while (taken < len) {
		const char *word = text + taken + strspn(text + taken, " ");
		size_t bytes = strcspn(word, " \n");
		size_t blanks = (size_t)(word - (text + taken));
		char *copy;

		if (!bytes || word + bytes > text + len)
			break;
		copy = strndup(word, bytes);
		width += blanks + (copy ? text_width(copy) : bytes);
		free(copy);
		if (taken && width > room)
			break;
		taken = (size_t)(word + bytes - text);
	}
	return taken;
}

/* One line of the text, broken.  *first is the column where the first line of
 * all begins, which is padded already; 0 once it was printed. */
static void print_line(const struct lines *l, const char *text, size_t len, unsigned int hang,
		       enum lines_style style, size_t *first)
{
	bool command = len >= strlen(COMMAND) && strncmp(text, COMMAND, strlen(COMMAND)) == 0;

	if (command) {
		text += strlen(COMMAND);
		len -= strlen(COMMAND);
	}
	while (len) {
		size_t start = *first ? *first : hang;
		size_t room = l->width > start + LEAST_ROOM ? l->width - start : LEAST_ROOM;
		size_t take = command ? len : take_words(text, len, room);

		if (!take)
			return;
		if (!*first)
			pad(l, hang);
		*first = 0;
		if (l->colour && style != LINES_PLAIN)
			fprintf(l->out, "%s%.*s\033[0m\n", starts[style], (int)take, text);
		else
			fprintf(l->out, "%.*s\n", (int)take, text);
		text += take;
		len -= take;
		while (len && *text == ' ') {
			text++;
			len--;
		}
	}
}

void lines_paragraph(const struct lines *l, unsigned int indent, const char *label,
		     unsigned int hang, enum lines_style style, const char *text)
{
	size_t label_width = text_width(label), first;

	if (!text[0])
		return;
	pad(l, indent);
	lines_styled(l, LINES_BOLD, label);
	first = indent + label_width + (label_width != 0);
	if (first < hang)
		first = hang;
	pad(l, first - indent - label_width);
	while (*text) {
		size_t len = strcspn(text, "\n");

		print_line(l, text, len, hang, style, &first);
		text += len + (text[len] == '\n');
	}
}
