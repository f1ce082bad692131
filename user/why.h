/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The diagnosis as text for a person: of the host once, and of one process.
 * Plain lines of at most `width` columns, every foreign byte escaped.  It
 * words what cause.c decided and evidence.c saw; it decides no cause.
 */
#ifndef CLOCKTOP_WHY_H
#define CLOCKTOP_WHY_H

#include <stdbool.h>
#include <stdio.h>

#include "evidence.h"
#include "host.h"
#include "record.h"
#include "served.h"
#include "table.h"
#include "users.h"

struct why_context {
	const struct host *host;
	const struct served *served;
	const struct served_cost *cost;
	struct evidences *evidences;
	const struct interval *interval; /* the calls to explain, unfiltered */
	struct users *users;
	table_cost_fn cost_of; /* ns of one call of a record, or NAN */
	void *cost_arg;
	unsigned int width; /* columns; below 40 counts as 40 */
	bool colour;	    /* SGR sequences may be written */
	bool utf8;	    /* characters beyond ASCII may be */
};

/* The host: kernel, hypervisor, clocksource, boot parameters, what is served
 * and what a read costs; what is wrong with it, and what to do. */
void why_host(FILE *out, const struct why_context *c);

/* One process: its name, each of its (syscall, clock, via) with rate, cost,
 * cause, evidence and remedy.  Without calls in the interval, why there are
 * none.  Names what was host-wide by pointing to why_host()'s lines. */
void why_process(FILE *out, const struct why_context *c, struct proc_id proc);

#endif
