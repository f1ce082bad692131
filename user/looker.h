/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks at processes from a thread of its own, so that a file system that
 * does not answer (a process can mount one) keeps no refresh waiting.  One
 * look at a time; a look that never ends is left behind with its thread.
 */
#ifndef CLOCKTOP_LOOKER_H
#define CLOCKTOP_LOOKER_H

#include <stdbool.h>
#include <stdint.h>

#include "look.h"

struct looker;

/* NULL without memory.  Starts no thread: the first look does, with the
 * privilege and the blocked signals that the program has then. */
struct looker *looker_new(void);

/* Gives everything back but what a look left behind still uses. */
void looker_free(struct looker *l);

/* Begins a look, which must have been made by malloc() and belongs to the
 * looker until looker_take() returns it.  0, -EBUSY while another runs, -EAGAIN
 * when there can be no thread. */
int looker_begin(struct looker *l, struct look *look);

/* Waits at most ns for the look that was begun.  Returns it; NULL when it
 * still runs, or when there is none. */
struct look *looker_take(struct looker *l, uint64_t ns);

/* Whether a look that was begun was not taken yet. */
bool looker_busy(const struct looker *l);

/* Whether a look can begin: none runs, and not too many threads are stuck. */
bool looker_ready(const struct looker *l);

/* Leaves the running look behind; nobody will see its result. */
void looker_leave(struct looker *l);

/* What its looks share, for the calling thread. */
struct look_memory *looker_memory(struct looker *l);

#endif
