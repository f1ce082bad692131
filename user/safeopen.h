/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens a file for writing as root may: not through what another user planted
 * in a directory that everyone can write to.  The rules are those of the
 * kernel's fs.protected_symlinks and fs.protected_regular (see sysctl/fs.rst),
 * which not every host has switched on.
 */
#ifndef CLOCKTOP_SAFEOPEN_H
#define CLOCKTOP_SAFEOPEN_H

#include <sys/types.h>

/* open(2), with these differences.  Returns a descriptor (close on exec), or
 * -errno:
 *   -ELOOP   a symlink in a world-writable directory belongs neither to this
 *            user nor to the directory's owner (or too many symlinks)
 *   -EACCES  the same of an existing file
 * Links of /proc, and so /dev/stdout and /dev/fd/N, are followed as ever.
 * flags must not hold O_TRUNC: truncate what turned out to be safe. */
int safe_open(const char *path, int flags, mode_t mode);

#endif
