/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals as events: INT, TERM and HUP ask for an end, WINCH for a redraw,
 * CHLD says that COMMAND ended or stopped.  They stay blocked and are read
 * from a signalfd, so nothing runs in a handler.  PIPE is ignored (EPIPE
 * tells).  HUP stays ignored when it was so at the start, as nohup wants it;
 * INT does not, or a script could not end what it runs in the background.
 */
#ifndef CLOCKTOP_SIGNALS_H
#define CLOCKTOP_SIGNALS_H

#include <stdbool.h>
#include <signal.h>

/* Blocks them and opens the signalfd, once in a program's life.  Call it
 * before any thread is started.  Saves the old mask and dispositions.  0 or
 * -errno; a further call changes nothing and returns 0. */
int signals_open(void);

/* One more signal, unless it was ignored when the program started.  Call it
 * between signals_open() and signals_close().  0 or -errno. */
int signals_also(int signal);

/* Puts the old mask and dispositions back: for COMMAND's child, before exec.
 * Async-signal-safe. */
void signals_restore(void);

/* Closes the descriptor.  The signals stay blocked: what comes now must not
 * kill a program that is about to end by itself. */
void signals_close(void);

/* The descriptor to poll; -1 when not open. */
int signals_fd(void);

/* The next pending signal, or 0. */
int signals_next(void);

/* Sleeps until `deadline_ns` (CLOCK_MONOTONIC) or a signal, or until other (-1
 * for none) is readable or hung up.  A signal goes first.  Returns the signal,
 * 0 at the deadline, -1 when other is ready. */
int signals_wait(unsigned long long deadline_ns, int other);

#endif
