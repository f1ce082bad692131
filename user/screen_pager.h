/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that is longer than the screen: lines, and the first one in sight. */
#ifndef CLOCKTOP_SCREEN_PAGER_H
#define CLOCKTOP_SCREEN_PAGER_H

#include <stddef.h>

struct pager {
	char *text;	    /* with NULs for newlines */
	const char **lines; /* into text */
	size_t nr;
	size_t top;
	size_t height; /* lines in sight */
};

/* Zero it before first use. */
void pager_free(struct pager *p);

/* Takes a copy of text; where it was scrolled to stays.  0 or -ENOMEM, with
 * what it had before. */
int pager_set(struct pager *p, const char *text);

/* Says how many lines are in sight. */
void pager_set_height(struct pager *p, size_t height);

/* Scrolls, as far as there is something to see. */
void pager_move(struct pager *p, long by);

#endif
