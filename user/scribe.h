/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Creates new files in the directory clocktop was started in when root itself
 * no longer can: it gave up the capability to write into other users'
 * directories (privilege.h), and `sudo clocktop` runs in one.  A process of
 * its own, forked before, does so as the directory's owner, with no privilege,
 * no descriptor but a socket, and no other skill; the files are the owner's.
 */
#ifndef CLOCKTOP_SCRIBE_H
#define CLOCKTOP_SCRIBE_H

#include <sys/types.h>

struct scribe {
	int socket; /* -1: none */
	pid_t pid;
};

/* Starts one where it is of use: as root, in a directory of somebody else's.
 * No thread may have been started yet.  It ends with the program, however
 * that ends.  What fails shows when a file is asked for. */
void scribe_start(struct scribe *s);

/* Creates a file by name (no path), which must not be there yet.  Returns a
 * descriptor to write to, or -errno: -ENOENT when there is no scribe. */
int scribe_create(struct scribe *s, const char *name);

/* Removes the file created last. */
void scribe_remove(struct scribe *s);

void scribe_stop(struct scribe *s);

#endif
