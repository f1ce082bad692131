/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps what is known of the processes that make clock syscalls, and decides
 * whom to look at next: each new one once, as soon as it is seen, the
 * busiest first, with a bound on the time that one interval takes.  It judges
 * nothing.
 */
#ifndef CLOCKTOP_SCOUT_H
#define CLOCKTOP_SCOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "collector.h"
#include "known.h"
#include "record.h"

struct scout;

/* The collector must outlive it.  NULL without memory. */
struct scout *scout_new(struct collector *collector);
void scout_free(struct scout *s);

/* An interval begins, or a look in its middle.  forget: drops the processes that ended before it.
 */
void scout_begin(struct scout *s, bool forget);

/* Why a record's process should be looked at. */
enum scout_want {
	SCOUT_CONTAINER = 1, /* for its container */
	SCOUT_CAUSE = 2,     /* for its calls' cause */
	SCOUT_ANSWER = 4,    /* calls were answered oddly */
	SCOUT_ALL = 8,	     /* for everything */
};

/* Notes one record of the interval. */
void scout_note(struct scout *s, const struct record *r, unsigned int wants);

/* Looks at those that need it, for ns at most. */
void scout_look(struct scout *s, uint64_t ns);

/* An interval ends: who was seen exiting is forgotten with the next one. */
void scout_end(struct scout *s, const struct interval *iv);

/* What is known of a process; NULL when nothing is. */
const struct known *scout_known(struct scout *s, struct proc_id proc);

/* Its container; "" for none or not known. */
const char *scout_container(struct scout *s, const struct record *r);

/* Where a record's direct calls come from; NULL when not known.  Of a process
 * that is gone, what other processes tell of the same file. */
const struct known_site *scout_site(struct scout *s, const struct record *r);

/* Whether the kernel knows a record's negative clock id. */
enum served_state scout_clock(struct scout *s, const struct record *r);

#endif
