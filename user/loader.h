/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts the BPF programs into the kernel and attaches them.  What they count is
 * read by the collector, which is its only user.
 */
#ifndef CLOCKTOP_LOADER_H
#define CLOCKTOP_LOADER_H

#include "collector.h"

struct clocktop_bpf;

/* Loads the programs and makes the maps.  0, and *skel, which is given back with
 * clocktop_bpf__destroy(); or -errno of the first try, which had all of the
 * programs. */
int loader_load(struct clocktop_bpf **skel, const struct collector_config *config);

/* Attaches them.  0 or -errno. */
int loader_attach(struct clocktop_bpf *skel);

/* What libbpf said first of why the last loader_load() failed; "" nothing. */
const char *loader_said(void);

#endif
