/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Says when the last of some processes has ended, through pidfds: no polling,
 * and no confusion with whatever gets their pids later.  What they forked is
 * not looked at.
 */
#ifndef CLOCKTOP_WATCH_H
#define CLOCKTOP_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watch {
	int fd;	     /* to poll: readable when one of them ended; -1 for none */
	size_t left; /* that have not ended */
};

/* Watches nr processes; those that are gone already count as ended.  0 or
 * -errno; watch_close() after either. */
int watch_open(struct watch *w, const uint32_t *pids, size_t nr);

/* Takes note of those that ended.  Whether all have. */
bool watch_all_ended(struct watch *w);

void watch_close(struct watch *w);

#endif
