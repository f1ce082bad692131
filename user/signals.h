/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals as events: INT, TERM and HUP ask for an end, WINCH for a redraw,
 * CHLD says that COMMAND ended.  They stay blocked and are read from a
 * signalfd, so nothing runs in a handler.  PIPE is ignored (EPIPE tells).
 */
#ifndef CLOCKTOP_SIGNALS_H
#define CLOCKTOP_SIGNALS_H

#include <stdbool.h>
#include <signal.h>

/* Blocks them and opens the signalfd.  0 or -errno.  Saves the old mask, which
 * signals_restore() puts back (in COMMAND's child, before exec). */
int signals_open(void);
void signals_restore(void);
void signals_close(void);

/* The descriptor to poll. */
int signals_fd(void);

/* The next pending signal, or 0. */
int signals_next(void);

/* Sleeps until `deadline_ns` (CLOCK_MONOTONIC) or a signal, or until fd (-1 for
 * none) is readable.  Returns the signal, 0 at the deadline, -1 when fd is
 * readable. */
int signals_wait(unsigned long long deadline_ns, int fd);

#endif
