/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that records are written to, as CSV (RFC 4180) or JSON Lines.
 * Only complete lines reach the file: an interval is put together in memory
 * and written whole.  A failed write is kept and reported, never ignored.
 */
#ifndef CLOCKTOP_SINK_H
#define CLOCKTOP_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "record.h"

enum sink_format {
	SINK_CSV,
	SINK_JSON,
};

struct sink;
struct users;

/* Opens path ("-" is standard output) before anything is measured; an
 * existing regular file is truncated.  CSV writes its header line with the
 * first interval.  Returns 0 and *s, or -errno as output_open() does. */
int sink_open(struct sink **s, enum sink_format format, const char *path);

/* The same, but never over an existing file: -EEXIST. */
int sink_create(struct sink **s, enum sink_format format, const char *path);

/* The same for a new file's descriptor, which is closed with it, or on failure
 * at once. */
int sink_adopt(struct sink **s, enum sink_format format, int fd);

/* Writes the records of iv and, last, the host's row.  0, or -errno: then that
 * interval is not in the file, later ones are tried again, and sink_lost()
 * counts it.  -EPIPE means the reader went away, which is not counted; -EINTR
 * that an end was asked for while the reader did not read. */
int sink_write(struct sink *s, const struct interval *iv, bool threads, struct users *users);

/* The end has come: what is written from now on waits for a slow reader no
 * longer than a second.  Call it before the last sink_write().  s may be NULL. */
void sink_hurry(struct sink *s);

/* Intervals that are not in the file, and the -errno of the first of them. */
unsigned long sink_lost(const struct sink *s);
int sink_error(const struct sink *s);

/* Closes.  0 or -errno: the last bytes may be missing.  s may be NULL. */
int sink_close(struct sink *s);

#endif
