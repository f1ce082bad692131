/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From samples to an interval: differences by serial, summed to one record
 * for each (process or thread, syscall, ABI, clock, via).  Reads nothing
 * outside its arguments; causes and containers are filled in later.
 */
#ifndef CLOCKTOP_INTERVAL_H
#define CLOCKTOP_INTERVAL_H

#include <stdbool.h>

#include "record.h"
#include "sample.h"

struct differ; /* what was counted before, by serial */

/* Whether a process still lives: asked for those all of whose threads that
 * ever called exited while others may go on. */
typedef bool (*differ_alive_fn)(struct proc_id proc);

/* threads: a record for each thread.  alive may be NULL: then such processes
 * count as living.  NULL without memory. */
struct differ *differ_new(bool threads, differ_alive_fn alive);
void differ_free(struct differ *d);

/* Changes what a record stands for, from the next step on. */
void differ_threads(struct differ *d, bool threads);

/* Turns the next sample into the interval since the one before it (the first
 * one only sets the start and yields no records).  iv's memory is reused;
 * records are unsorted, with cause CAUSE_UNKNOWN and object "".
 * self is the program's own tgid, whose calls are left out.
 * 0 or -ENOMEM, after which the interval must not be used. */
int differ_step(struct differ *d, const struct sample *s, uint32_t self, struct interval *iv);

/* What each living thread did since the first sample, as of the last: records
 * as differ_step() makes with threads, without seconds.  0 or -ENOMEM. */
int differ_totals(struct differ *d, uint32_t self, struct interval *iv);

void interval_init(struct interval *iv);
void interval_free(struct interval *iv);

#endif
