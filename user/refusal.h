/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why the kernel would not take the BPF programs: asks for each thing that
 * they cannot do without, in words for the user.  It never goes by the
 * kernel's version.
 */
#ifndef CLOCKTOP_REFUSAL_H
#define CLOCKTOP_REFUSAL_H

#include <stddef.h>

/* Writes one line (NUL-terminated): what is missing and what to do.  error is
 * the -errno that loading or attaching ended with, said what libbpf said of
 * it ("" for nothing).  Needs the privilege that loading needs. */
void refusal_explain(char *line, size_t size, int error, const char *said);

#endif
