/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that whole lines are written to, by name or as standard output.  It
 * knows nothing of what the lines say.
 */
#ifndef CLOCKTOP_OUTPUT_H
#define CLOCKTOP_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

enum output_mode {
	OUTPUT_REPLACE, /* an existing regular file is truncated */
	OUTPUT_APPEND,	/* lines go to the end of an existing one */
	OUTPUT_NEW,	/* an existing one is an error: -EEXIST */
};

struct output;

/* Opens path ("-" is standard output), safely (see safeopen.h).  A FIFO is
 * waited for until it has a reader, but no longer than until INT, TERM or HUP
 * comes, blocked or not: -EINTR.  0 and *o, which output_close() gives back; or
 * -errno. */
int output_open(struct output **o, const char *path, enum output_mode mode);

/* The same for standard error, wherever that goes. */
int output_open_stderr(struct output **o);

/* The same for a descriptor that is open for writing, which is closed with it,
 * or on failure at once. */
int output_adopt(struct output **o, int fd);

/* Writes len bytes, which are whole lines.  0 or -errno.
 *
 * When a regular file does not take them all (a full disk), what was written of
 * them is cut off again; and when the program is killed meanwhile, a line is
 * torn only if it is just being copied across the border of two pages.  So the
 * file holds whole lines at any time.
 *
 * To a pipe, a terminal or the like they go in pieces of whole lines that a
 * pipe takes at once; a reader that does not read is waited for, but no longer
 * than a second after INT, TERM or HUP came: -EINTR.  A terminal that was
 * stopped (Ctrl-S) goes on then.  -EPIPE: the reader went
 * away (SIGPIPE must be ignored). */
int output_write(struct output *o, const char *lines, size_t len);

/* The end has come: from now on a reader that does not read is waited for no
 * longer than a second (then -EINTR). */
void output_hurry(struct output *o);

/* Bytes written that are in the file. */
uint64_t output_written(const struct output *o);

/* Closes.  0 or -errno: the last bytes may be missing.  o may be NULL. */
int output_close(struct output *o);

#endif
