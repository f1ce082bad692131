/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text broken into lines of a width, for people to read.  It knows nothing of
 * what the text says.
 */
#ifndef CLOCKTOP_LINES_H
#define CLOCKTOP_LINES_H

#include <stdbool.h>
#include <stdio.h>

struct lines {
	FILE *out;
	unsigned int width; /* columns */
	bool colour;	    /* SGR sequences may be written */
};

enum lines_style {
	LINES_PLAIN,
	LINES_BOLD,
	LINES_BAD,  /* red */
	LINES_GOOD, /* green */
};

/* Prints each line of text broken at blanks: the first one behind label, which
 * stands at column `indent`; all text begins at column `hang`.  Lines that
 * begin with "$ " are commands: each stays whole, without the "$ ", for it is to
 * be copied.  A word longer than the width stays whole, too.  text is safe for
 * a terminal.  Prints nothing for an empty text. */
void lines_paragraph(const struct lines *l, unsigned int indent, const char *label,
		     unsigned int hang, enum lines_style style, const char *text);

/* text in that style, without a line break. */
void lines_styled(const struct lines *l, enum lines_style style, const char *text);

#endif
