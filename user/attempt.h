/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether somebody asked the kernel for another clocksource and was refused.
 * The kernel takes any name that is written to current_clocksource and says
 * nothing, so a refusal shows only in that the file was written and the
 * clocksource stayed.  What was written cannot be seen.
 */
#ifndef CLOCKTOP_ATTEMPT_H
#define CLOCKTOP_ATTEMPT_H

#include <stdbool.h>

struct attempt {
	int fd; /* inotify; -1: it cannot be watched */
	char clocksource[64];
	bool refused;
};

/* Begins to watch the file at path (host.c's).  clocksource is the current one. */
void attempt_open(struct attempt *a, const char *path, const char *clocksource);
void attempt_close(struct attempt *a);

/* Takes note of the current clocksource, read after the call before it.
 * Returns whether the last write since the clocksource last changed was
 * refused, or asked for what was in force. */
bool attempt_refused(struct attempt *a, const char *clocksource);

#endif
