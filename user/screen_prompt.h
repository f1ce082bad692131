/* SPDX-License-Identifier: GPL-2.0-only */
/* One line of text, typed and corrected at its end.  It knows no terminal. */
#ifndef CLOCKTOP_SCREEN_PROMPT_H
#define CLOCKTOP_SCREEN_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#define PROMPT_TEXT 128 /* bytes; what does not fit is not taken */

struct prompt {
	char text[PROMPT_TEXT]; /* in the locale's encoding */
	size_t len;
};

/* Starts with some text, cut if it is too long. */
void prompt_set(struct prompt *p, const char *text);

/* Takes a character: adds it at the end, or corrects what is there (Backspace,
 * Ctrl-U, Ctrl-W).  Returns whether the text changed. */
bool prompt_type(struct prompt *p, int c);

#endif
