/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands above the table, in the live screen and in batch mode: lines of
 * words, each with a mark for how to show it and a rank for when room is
 * short.  It measures nothing and knows no terminal.
 */
#ifndef CLOCKTOP_HEADER_H
#define CLOCKTOP_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "buffer.h"
#include "host.h"
#include "record.h"
#include "served.h"
#include "sparkline.h"
#include "table.h"

/* Sums over one interval of the host, before any filter. */
struct header_sums {
	uint64_t calls;
	double cpu;    /* CPUs burnt, as far as known */
	bool cpu_open; /* the cost of some calls is not known */
};

struct header_sums header_sum(const struct interval *iv, table_cost_fn cost, void *arg);

struct header_input {
	const struct host *host;
	const struct served *served;
	const struct served_cost *cost;
	double uptime; /* seconds */
	double delay;  /* seconds between refreshes */
	bool live;     /* say whether it goes on */
	bool paused;
	const struct interval *interval; /* the last one; NULL before the first */
	struct header_sums sums;	 /* of it */
	const struct sparkline *history; /* clock syscalls a second */
	uint64_t missed;		 /* since the start */
	bool watched_ended;		 /* the processes of -p have ended, all of them */
	const char *unseen;		 /* what could not be looked at, a sentence; or NULL */
	bool utf8;
	size_t width; /* columns there are */
};

enum header_mark {
	HEADER_PLAIN,
	HEADER_TITLE,
	HEADER_GOOD,
	HEADER_BAD,
	HEADER_FAINT,
};

struct header_word {
	size_t text; /* offset into the header's text */
	enum header_mark mark;
	unsigned int rank; /* 0: always shown; else 1 is the last to be left out */
	bool right;	   /* at the right margin */
	bool tight;	   /* one blank before it, not a gap */
};

#define HEADER_LINES 7
#define HEADER_WORDS 8
#define HEADER_GAP 2 /* columns between words */

struct header_line {
	struct header_word words[HEADER_WORDS];
	size_t nr;
};

struct header {
	struct buffer text;
	bool utf8;
	struct header_line lines[HEADER_LINES];
	size_t nr;
};

/* Makes the lines, reusing h's memory (zero it before first use).  Without
 * memory words are missing. */
void header_make(struct header *h, const struct header_input *in);
void header_free(struct header *h);

/* A word's text: safe for a terminal, NUL-terminated.  Owned by h. */
const char *header_text(const struct header *h, const struct header_word *w);

/* Which words of a line fit in width, by rank: sets start[i] to the column
 * where word i begins, or to HEADER_OUT. */
#define HEADER_OUT ((size_t)-1)
void header_place(const struct header *h, const struct header_line *line, size_t width,
		  size_t start[HEADER_WORDS]);

/* Adds all words to out, in full; lines longer than width are wrapped between
 * words. */
void header_print(const struct header *h, size_t width, struct buffer *out);

#endif
