/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Collects what causes are decided from, fills in cause, object and container
 * of each record, and remembers it by process.  Looks at each new (process,
 * call) once, as soon as it is seen, with a bound on the work of one refresh.
 */
#ifndef CLOCKTOP_EVIDENCE_H
#define CLOCKTOP_EVIDENCE_H

#include "cause.h"
#include "collector.h"
#include "host.h"
#include "record.h"
#include "served.h"

struct evidences;

/* host and collector must outlive it.  NULL without memory. */
struct evidences *evidences_new(const struct host *host, struct collector *collector,
				const struct served *served);
void evidences_free(struct evidences *e);

/* What is served changed (or was asked again) at this moment: intervals that
 * end later are judged by it, the one it falls into by both. */
void evidences_served(struct evidences *e, const struct served *served, const char *clocksource);

/* Fills in iv's causes, objects and containers.  Drops what it knows about
 * processes that exited before.  Never fails: what it cannot find out is
 * unknown. */
void evidences_apply(struct evidences *e, struct interval *iv);

/* What a record's cause rested on, for `why`. */
bool evidences_of(struct evidences *e, const struct record *r, struct evidence *out);

#endif
