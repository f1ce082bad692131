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
#include "sample.h"
#include "served.h"

struct evidences;

/* host and collector must outlive it.  NULL without memory. */
struct evidences *evidences_new(const struct host *host, struct collector *collector,
				const struct served *served);
void evidences_free(struct evidences *e);

/* From now on only processes that -p or COMMAND chose are looked at, so that
 * their looks wait for nobody else's; all are when evidences_complete() asks. */
void evidences_only_followed(struct evidences *e);

/* What is served changed (or was asked again) at this moment: intervals that
 * end later are judged by it, the one it falls into by both. */
void evidences_served(struct evidences *e, const struct served *served, const char *clocksource);

/* Fills in iv's causes, objects and containers.  Drops what it knows about
 * processes that exited before.  Never fails: what it cannot find out is
 * unknown.  In an interval of no length nobody is looked at. */
void evidences_apply(struct evidences *e, struct interval *iv);

/* Records of earlier intervals whose process was looked at only in the last one
 * that was applied, and that made no such call since: with the cause, object and
 * container that they have now.  Owned by e, until the next one is applied. */
const struct record *evidences_settled(const struct evidences *e, size_t *nr);

/* In the middle of an interval: looks at the processes that appeared in it,
 * so that those that end before it does are known by then.  s is of
 * collector_peek(); self is the program's own tgid. */
void evidences_peek(struct evidences *e, const struct sample *s, uint32_t self);

/* As evidences_apply, once more for the same interval and with all the time
 * that it takes: looks at whatever is still to be looked at.  For `why`. */
void evidences_complete(struct evidences *e, struct interval *iv);

/* From now on what was known and what was in force is kept over several
 * intervals, so that their sum can be explained: for `why`. */
void evidences_keep(struct evidences *e);

/* Whether somebody asked for another clocksource since evidences_new(), and the
 * current one stayed. */
bool evidences_refused(struct evidences *e);

/* Where the syscall instruction of a direct call lies. */
struct call_site {
	const char *path;   /* of the file in the process's own root; raw bytes; "" not known */
	const char *symbol; /* the function that holds it; raw bytes; "" not known */
	bool exe;	    /* the file is the process's program itself */
};

/* What a record's cause rested on.  Strings are owned by the evidences and
 * hold until the next call that is given an interval. */
struct finding {
	struct evidence evidence;
	struct verdict verdict;
	struct call_site site;
	enum where_vdso vdso;	 /* the process's vDSO, as far as known */
	const char *clocksource; /* in force when a clock was last not served */
	const char *exe;	 /* path of its program; raw bytes; "" not known */
	const char *tool;	 /* the recorder, tracer or translator it runs under,
				  * as far as its mapped files tell; or NULL */
	uint32_t tracer;	 /* pid of its tracer; 0 none or not known */
	bool looked;		 /* the process was looked at */
	bool ended;		 /* the process has ended by now */
	bool gone;		 /* it had ended before it could be */
	int site_errno;		 /* why the file of the site could not be read, else 0 */
	int vdso_errno;		 /* why the vDSO's code could not be read, else 0 */
	int looked_errno;	 /* why it could not be, else 0 */
};

/* For `why`.  false when nothing is known about such a record. */
bool evidences_of(struct evidences *e, const struct record *r, struct finding *out);

/* The same for a process that made no calls: looks at it now, for a second at
 * most.  Its verdict says nothing. */
void evidences_look(struct evidences *e, struct proc_id proc, struct finding *out);

#endif
