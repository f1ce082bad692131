/* SPDX-License-Identifier: GPL-2.0-only */
/* One interval's records, written to a new file of their own. */
#ifndef CLOCKTOP_SNAPSHOT_H
#define CLOCKTOP_SNAPSHOT_H

#include <stdbool.h>

#include "record.h"

struct scribe;
struct users;

/* "clocktop-20261130T193000.csv" (UTC), with "-2" … "-99" before ".csv" where
 * there is such a file. */
#define SNAPSHOT_NAME 40

/* Writes iv as CSV into the current directory, as a file that was not there
 * before; its name is put into name.  Where this process may not, the scribe
 * creates it.  0 or -errno, and then no file is left that is not whole. */
int snapshot_write(struct scribe *scribe, const struct interval *iv, bool threads,
		   struct users *users, char name[SNAPSHOT_NAME]);

#endif
