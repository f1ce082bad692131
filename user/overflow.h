/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's `overflow` map: the counts of tasks that call in more ways than
 * their own record has slots for.  Tasks cannot take theirs with them when
 * they exit, so the map is emptied from here.
 */
#ifndef CLOCKTOP_OVERFLOW_H
#define CLOCKTOP_OVERFLOW_H

#include <stddef.h>

#include "sample.h"

/* What the map held at one moment. */
struct overflow_list {
	struct sample_overflow *items;
	size_t nr, room;
};

/* Replaces the list by what the map `fd` holds.  0 or -errno. */
int overflow_read(int fd, struct overflow_list *list);

/* Removes from the map those entries of s that are final, which s tells of its
 * tasks that exited.  When s is complete it knows as well which tasks' ends
 * were lost: they have an entry in `before`, which was read before s was taken,
 * and are not in s.  Theirs are marked as orphans and removed.  0 or -ENOMEM. */
int overflow_settle(int fd, struct sample *s, const struct overflow_list *before);

#endif
