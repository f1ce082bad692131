/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands: each runs to its end and returns the exit status. */
#ifndef CLOCKTOP_COMMANDS_H
#define CLOCKTOP_COMMANDS_H

#include "options.h"

enum {
	STATUS_OK = 0,
	STATUS_INCOMPLETE = 1, /* or check found something */
	STATUS_USAGE = 2,
	STATUS_CANNOT = 3,
};

int command_top(const struct options *o);   /* screen.c, batch.c */
int command_stat(const struct options *o);  /* stat.c */
int command_why(const struct options *o);   /* why.c */
int command_check(const struct options *o); /* check.c */
int command_bench(const struct options *o); /* bench.c */

#endif
