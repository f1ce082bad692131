// SPDX-License-Identifier: GPL-2.0-only
#include "attempt.h"

#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

void attempt_open(struct attempt *a, const char *path, const char *clocksource)
{
	a->refused = false;
	snprintf(a->clocksource, sizeof(a->clocksource), "%s", clocksource);
	a->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (a->fd >= 0 && inotify_add_watch(a->fd, path, IN_MODIFY) < 0)
		attempt_close(a);
}

void attempt_close(struct attempt *a)
{
	if (a->fd >= 0)
		close(a->fd);
	a->fd = -1;
}

bool attempt_refused(struct attempt *a, const char *clocksource)
{
	char events[4096];
	bool written = false;

	while (a->fd >= 0 && read(a->fd, events, sizeof(events)) > 0)
		written = true;
	if (strcmp(a->clocksource, clocksource) != 0) {
		snprintf(a->clocksource, sizeof(a->clocksource), "%s", clocksource);
		a->refused = false;
	} else if (written) {
		a->refused = true;
	}
	return a->refused;
}
