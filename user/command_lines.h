/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command lines of the processes in sight, read once a refresh each and kept
 * while they stay in sight, so that an exited process keeps its own.
 */
#ifndef CLOCKTOP_COMMAND_LINES_H
#define CLOCKTOP_COMMAND_LINES_H

#include "map.h"
#include "record.h"

struct command_lines {
	struct map now, before; /* proc_key -> char * */
};

void command_lines_init(struct command_lines *c);
void command_lines_free(struct command_lines *c);

/* A new refresh: what is asked for from now on is read again. */
void command_lines_renew(struct command_lines *c);

/* The command line, raw bytes; NULL when there is none to be had.  Valid
 * until the next call of command_lines_renew(). */
const char *command_lines_get(struct command_lines *c, struct proc_id proc);

#endif
