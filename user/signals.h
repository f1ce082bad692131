/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals as events: INT, TERM and HUP ask for an end, WINCH for a redraw,
 * CHLD says that COMMAND ended or stopped.  They stay blocked and are read
 * from a signalfd.  Only while something is written that a reader may keep
 * waiting, those that ask for an end reach a handler.  PIPE is ignored (EPIPE
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

/* Whether a signal that asks for an end waits to be taken, or the end has come. */
bool signals_end_asked(void);

/* The end has come: what is written from now on waits for a reader no longer
 * than a second. */
void signals_hurry(void);

/*
 * To be called before writes to fd that may wait for a reader, and after them,
 * by the thread that called signals_open(), one pair at a time.  When an end is
 * asked for meanwhile or the hurry has come, a terminal that was stopped
 * (Ctrl-S) is let go on after half a second, and the writes go nowhere after a
 * second.  picture: what is on its way to the terminal may be dropped, so that
 * there is room for what comes last.  Without signals_open() they do nothing.
 * signals_written() returns whether something went nowhere.
 */
void signals_writing(int fd, bool picture);
bool signals_written(void);

/* strerror(), which for EINTR says what it means after a write: the reader did
 * not read. */
const char *signals_error(int error);

/* Lets a terminal that was stopped (Ctrl-S) go on; else does nothing. */
void signals_start_terminal(int terminal);

#endif
