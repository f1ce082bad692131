/* SPDX-License-Identifier: GPL-2.0-only */
/* Batch mode: what the live screen shows, as plain text, one block a refresh. */
#ifndef CLOCKTOP_BATCH_H
#define CLOCKTOP_BATCH_H

#include <stdbool.h>

#include "options.h"

/* Runs to its end; signals_open() comes before.  With text false it prints
 * nothing: standard output is taken by records.  Returns the exit status. */
int batch_run(const struct options *o, bool text);

#endif
