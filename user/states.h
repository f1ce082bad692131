/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was counted before of each task, found by serial.  The kernel names tasks
 * in the same order every time, so most are found where the last one was left,
 * without looking them up.  It decides nothing of what the counts mean.
 */
#ifndef CLOCKTOP_STATES_H
#define CLOCKTOP_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map.h"
#include "records.h"

/* By inline slot: a slot keeps its key for the task's life. */
struct task_state {
	uint64_t serial; /* 0: not used */
	uint64_t counts[NR_SLOTS];
	uint64_t keys[NR_SLOTS];
	uint64_t since[NR_SLOTS]; /* how much of counts came after the start */
	struct task_name name;	  /* as last seen: its overflowed keys need it */
	bool dead;		  /* its last entry was taken */
	bool seen;		  /* in a complete sample: it lives */
};

struct states {
	struct task_state *all; /* in the order they were first seen in; some not used */
	size_t nr, room;
	size_t unused; /* of nr */
	size_t next;   /* the one behind the one found last */
	struct map by_serial;
};

void states_init(struct states *s);
void states_free(struct states *s);

/* A pass over the tasks begins. */
void states_begin(struct states *s);

/* The state of a task, all zero but for its serial if it has none yet (*fresh).
 * NULL without memory.  Valid until the next call. */
struct task_state *states_make(struct states *s, uint64_t serial, bool *fresh);

/* The same, or NULL if it has none. */
struct task_state *states_find(struct states *s, uint64_t serial);

void states_drop(struct states *s, struct task_state *t);

#endif
