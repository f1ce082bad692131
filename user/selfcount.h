/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many clock syscalls a piece of this program's own code makes, counted in
 * the kernel.  The views leave the program's own calls out; this looks at
 * nothing else.  Needs the privileges of the collector.
 */
#ifndef CLOCKTOP_SELFCOUNT_H
#define CLOCKTOP_SELFCOUNT_H

#include <stddef.h>
#include <stdint.h>

struct selfcount;

/* Loads the programs and attaches them.  0 and *s, or an exit status and one
 * line in err, as collector_open() has it. */
int selfcount_open(struct selfcount **s, char *err, size_t err_size);
void selfcount_close(struct selfcount *s);

/* Runs fn(arg) in a thread of its own and counts the clock syscalls made there
 * into *count.  0 or -errno; -EIO when the kernel could not count all. */
int selfcount_run(struct selfcount *s, void (*fn)(void *arg), void *arg, uint64_t *count);

#endif
