/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process has mapped: the lines of /proc/PID/maps.  Names in them come
 * from the process: raw bytes, but for the newline, which the kernel writes
 * as \012.  It opens none of the files.
 */
#ifndef CLOCKTOP_MAPS_H
#define CLOCKTOP_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
	uint64_t start, end; /* addresses; end is behind the last byte */
	uint64_t offset;     /* in the file */
	uint64_t ino;	     /* 0: no file */
	unsigned int major, minor;
	bool readable, writable, executable;
	const char *path; /* "[vdso]", a file's path, " (deleted)" behind it when it
			   * is, or ""; valid until the line goes away */
};

/* Parses one line, without its newline, NUL-terminated.  false when it is
 * none.  Pure. */
bool maps_parse(const char *line, struct mapping *m);

/* Calls each() with every mapping of the process, in order of addresses, until
 * it returns false.  Stops without an error behind a million lines.
 * Returns how many mappings were seen, or -errno. */
long maps_each(uint32_t pid, bool (*each)(const struct mapping *m, void *arg), void *arg);

#endif
