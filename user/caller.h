/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose code a syscall instruction lies in, told by what an ELF file says of
 * the place.  Pure: it knows the functions that libcs and runtimes make clock
 * syscalls from, and reads nothing.
 */
#ifndef CLOCKTOP_CALLER_H
#define CLOCKTOP_CALLER_H

#include "cause.h"
#include "elfsym.h"

/* exe: the file is known to be the process's own program.  interp: it is the file that the
 * program names as its interpreter. */
enum caller caller_of(const struct elfsym *sym, bool exe, bool interp);

/* Whether a function of that name, in a libc or a static program, is the
 * libc's wrapper for a clock call. */
bool caller_is_wrapper(const char *symbol);

/* The recorder, tracer or binary translator that maps a file of this name into
 * the processes it handles, or NULL.  path may have directories. */
const char *caller_tool(const char *path);

#endif
