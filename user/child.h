/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * COMMAND: forked early, held until it can be counted from its first
 * instruction, then run as if the program's own caller had run it.  There is
 * one at the most.  It knows nothing of counting.
 *
 * What COMMAND gets is what the program was started with: identity,
 * capabilities, limits, signal mask and dispositions, and no descriptors but
 * the caller's (the program's own are all close-on-exec).  So it must be
 * forked before any of these change but signals_open(), whose changes it
 * undoes.  It is in the program's process group: Ctrl-C at a terminal reaches
 * both.  It outlives the program if that is killed, except while it is held:
 * then it ends without having run.
 */
#ifndef CLOCKTOP_CHILD_H
#define CLOCKTOP_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Forks a process that waits to become argv (argv[0] is looked for in PATH);
 * no thread may have been started yet.  Returns its pid, or -errno. */
pid_t child_start(char **argv);

/* Lets it go.  Returns 0 once it runs argv, or the errno with which it could
 * not (it has ended then, and is not to be waited for). */
int child_go(void);

/* The exit status that a shell gives for that errno: 127 when there is no such
 * command, 126 when it cannot be run. */
int child_cannot_status(int err);

/* Whether it has ended; never waits.  *status is then its exit status, or
 * 128 + N when signal N killed it. */
bool child_ended(int *status);

/* Waits for its end, in spite of signals.  Returns the same status. */
int child_wait(void);

/* Sends it a signal.  0, or -errno: -ESRCH when it has ended, -EPERM when it
 * runs as a user whom the program may not signal. */
int child_signal(int signal);

/* When it is still held: ends it without having run, and waits for that. */
void child_abort(void);

#endif
