// SPDX-License-Identifier: GPL-2.0-only
#include "evidence.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "attempt.h"
#include "late.h"
#include "scout.h"

#define MS 1000000ULL
#define SECOND 1000000000ULL

/* Looking takes at most a fiftieth of an interval, between these. */
#define BUDGET_SHARE 50
#define BUDGET_LEAST (2 * MS)
#define BUDGET_MOST (20 * MS)
#define BUDGET_COMPLETE (5 * SECOND)
#define LOOK_LONGEST SECOND

#define CURRENT_CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

struct evidences {
	const struct host *host;
	struct collector *collector;
	struct scout *scout;
	struct served now;
	struct served worst;  /* of all that was in force since the last interval */
	struct served judged; /* worst, as the last interval was judged by */
	char clocksource[64]; /* in force when a clock was last not served */
	struct attempt attempt;
	struct late late;
	bool keep;
	bool only_followed;
};

struct evidences *evidences_new(const struct host *host, struct collector *collector,
				const struct served *served)
{
	struct evidences *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->scout = scout_new(collector);
	if (!e->scout) {
		free(e);
		return NULL;
	}
	late_init(&e->late);
	e->host = host;
	e->collector = collector;
	attempt_open(&e->attempt, CURRENT_CLOCKSOURCE, host->clocksource);
	e->now = e->worst = e->judged = *served;
	snprintf(e->clocksource, sizeof(e->clocksource), "%s", host->clocksource);
	return e;
}

void evidences_free(struct evidences *e)
{
	if (!e)
		return;
	attempt_close(&e->attempt);
	late_free(&e->late);
	scout_free(e->scout);
	free(e);
}

/* A clock was served in an interval if it always was. */
static void worsen(unsigned char *worst, const unsigned char *now, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (now[i] == SERVED_NO || worst[i] == SERVED_UNKNOWN)
			worst[i] = now[i];
}

void evidences_served(struct evidences *e, const struct served *served, const char *clocksource)
{
	worsen(e->worst.gettime, served->gettime, NR_CLOCKS);
	worsen(e->worst.getres, served->getres, NR_CLOCKS);
	worsen(&e->worst.gettimeofday, &served->gettimeofday, 1);
	worsen(&e->worst.time, &served->time, 1);
	e->now = *served;
	if (served->gettimeofday != SERVED_YES)
		snprintf(e->clocksource, sizeof(e->clocksource), "%s", clocksource);
}

/* Whether the kernel knows the record's clock. */
static enum served_state clock_exists(struct evidences *e, const struct record *r)
{
	if (!call_has_clock(r->call))
		return SERVED_YES;
	if (r->clock < 0)
		return scout_clock(e->scout, r);
	if (r->clock >= NR_CLOCKS)
		return SERVED_NO;
	/* The kernel knows CLOCK_REALTIME: if not even that was seen, it could not
	 * be asked. */
	if (!e->now.exists[0])
		return SERVED_UNKNOWN;
	return e->now.exists[r->clock] ? SERVED_YES : SERVED_NO;
}

static enum caller caller_of_record(struct evidences *e, const struct record *r,
				    const struct known_site **site)
{
	*site = NULL;
	if (r->via != VIA_DIRECT)
		return CALLER_UNKNOWN;
	if ((r->where >> WHERE_OBJECT_SHIFT & WHERE_OBJECT_MASK) == WHERE_ANON)
		return CALLER_ANON;
	*site = scout_site(e->scout, r);
	return *site ? (*site)->caller : CALLER_UNKNOWN;
}

/* The vDSO as the process had it when it was looked at, else as the kernel
 * side saw it at the first such call. */
static enum where_vdso vdso_of_record(const struct known *k, const struct record *r)
{
	if (k && k->vdso != WHERE_VDSO_UNKNOWN)
		return k->vdso;
	return r->where >> WHERE_VDSO_SHIFT & 3;
}

static enum fact fact_of_vdso(enum where_vdso vdso)
{
	switch (vdso) {
	case WHERE_VDSO_MAPPED:
		return FACT_YES;
	case WHERE_VDSO_NONE:
	case WHERE_VDSO_UNMAPPED:
		return FACT_NO;
	case WHERE_VDSO_UNKNOWN:
		break;
	}
	return FACT_UNKNOWN;
}

/* The kernel side saw the thread itself, at its first call that ended so; a look
 * sees all threads that there are, later. */
static enum fact seccomp_of_record(const struct known *k, const struct record *r)
{
	if ((r->where & WHERE_FILTERED) || (k && k->seccomp == FACT_YES))
		return FACT_YES;
	if (r->where & WHERE_ASKED)
		return FACT_NO;
	return k ? k->seccomp : FACT_UNKNOWN;
}

/* All that is known of the record's calls. */
static void assemble(struct evidences *e, const struct record *r, struct finding *f)
{
	const struct known *k = scout_known(e->scout, r->proc);
	const struct known_site *site;

	*f = (struct finding){
	    .evidence =
		{
		    .call = r->call,
		    .abi = r->abi,
		    .via = r->via,
		    .clock = r->clock,
		    .calls = r->calls,
		    .served = served_state(&e->now, r->call, r->clock),
		    .unserved_in_interval =
			served_state(&e->judged, r->call, r->clock) == SERVED_NO,
		    .exists = clock_exists(e, r),
		    .vdso_genuine = k ? k->vdso_genuine : FACT_UNKNOWN,
		    .seccomp = seccomp_of_record(k, r),
		    .caller = caller_of_record(e, r, &site),
		},
	    .site = {.path = "", .symbol = ""},
	    .vdso = vdso_of_record(k, r),
	    .clocksource = e->clocksource,
	    .exe = k && k->exe ? k->exe : "",
	    .tool = k ? k->tool : NULL,
	    .tracer = k ? k->tracer : 0,
	    .looked = k && k->looked_ns && k->err == 0,
	    .ended = k && k->gone,
	    .gone = k && k->gone && (!k->looked_ns || k->err == -ESRCH),
	    .looked_errno = k && k->looked_ns ? -k->err : 0,
	};
	f->evidence.vdso_mapped = fact_of_vdso(f->vdso);
	f->vdso_errno = k ? -k->vdso_err : 0;
	if (site) {
		f->site_errno = -site->err;
		f->site.path = site->path ? site->path : "";
		f->site.symbol = site->symbol ? site->symbol : "";
		f->site.exe = site->exe;
	}
	f->verdict = cause_decide(&f->evidence);
}

/* Why the record's process should be looked at. */
static unsigned int wants(struct evidences *e, const struct record *r)
{
	const struct evidence ev = {.call = r->call, .clock = r->clock, .calls = r->calls};
	unsigned int wants = SCOUT_CONTAINER;

	if (r->via == VIA_VSYSCALL)
		return wants;
	if (cause_foreign_answers(&ev) ||
	    (r->calls.einval && (r->clock < 0 || clock_exists(e, r) == SERVED_YES)))
		wants |= SCOUT_ANSWER;
	if (clock_can_be_served(r->call, r->clock))
		wants |= SCOUT_CAUSE;
	return wants;
}

static void fill_in(struct evidences *e, struct record *r, enum cause cause)
{
	r->cause = cause;
	if (r->via == VIA_DIRECT)
		r->object = collector_object(e->collector, r->where);
	memcpy(r->container, scout_container(e->scout, r), sizeof(r->container));
}

/* late: those whose process could not be looked at yet are kept. */
static void judge(struct evidences *e, struct interval *iv, bool late)
{
	for (size_t i = 0; i < iv->nr; i++) {
		struct record *r = &iv->records[i];
		struct finding f;

		assemble(e, r, &f);
		fill_in(e, r, f.verdict.cause);
		if (!late || !known_waits(scout_known(e->scout, r->proc)))
			continue;
		late_add(&e->late, &(struct late_record){
				       .record = *r,
				       .served = f.evidence.served,
				       .unserved_in_interval = f.evidence.unserved_in_interval,
				   });
	}
}

/* Notes a record of an earlier interval, unless its process ended. */
static enum late_fate note_late(struct late_record *late, void *arg)
{
	struct evidences *e = arg;

	if (!scout_known(e->scout, late->record.proc))
		return LATE_DROP;
	scout_note(e->scout, &late->record, wants(e, &late->record));
	return LATE_WAIT;
}

/* Judges it by what is known of its process now, but by what was served then. */
static enum late_fate settle_late(struct late_record *late, void *arg)
{
	struct evidences *e = arg;
	struct finding f;

	if (known_waits(scout_known(e->scout, late->record.proc)))
		return LATE_WAIT;
	assemble(e, &late->record, &f);
	f.evidence.served = late->served;
	f.evidence.unserved_in_interval = late->unserved_in_interval;
	fill_in(e, &late->record, cause_decide(&f.evidence).cause);
	return LATE_SETTLE;
}

static uint64_t budget(double seconds)
{
	double ns = seconds * (double)SECOND / BUDGET_SHARE;

	if (seconds <= 0)
		return 0;
	if (!(ns > (double)BUDGET_LEAST))
		return BUDGET_LEAST;
	return ns < (double)BUDGET_MOST ? (uint64_t)ns : BUDGET_MOST;
}

void evidences_only_followed(struct evidences *e)
{
	e->only_followed = true;
}

void evidences_apply(struct evidences *e, struct interval *iv)
{
	attempt_refused(&e->attempt, e->host->clocksource);
	scout_begin(e->scout, !e->keep);
	for (size_t i = 0; i < iv->nr; i++) {
		late_remove(&e->late, &iv->records[i]);
		if (!e->only_followed || iv->records[i].followed)
			scout_note(e->scout, &iv->records[i], wants(e, &iv->records[i]));
	}
	late_pass(&e->late, note_late, e);
	scout_look(e->scout, budget(iv->seconds));
	late_pass(&e->late, settle_late, e);
	e->judged = e->worst;
	judge(e, iv, true);
	if (!e->keep)
		e->worst = e->now;
	scout_end(e->scout, iv);
}

void evidences_peek(struct evidences *e, const struct sample *s, uint32_t self)
{
	const struct task_entry *entry;

	scout_begin(e->scout, false);
	for (entry = sample_first(s); entry; entry = sample_next(s, entry)) {
		struct record r = {
		    .proc = {entry->name.tgid, entry->name.start_ns},
		    .uid = entry->name.uid,
		    .cgroup_id = entry->name.cgroup_id,
		};

		if (entry->name.tgid == self ||
		    (e->only_followed && !(entry->name.flags & TASK_FOLLOWED)))
			continue;
		memcpy(r.comm, entry->name.comm, sizeof(r.comm));
		r.comm[sizeof(r.comm) - 1] = 0;
		for (size_t i = 0; i < entry->nr; i++) {
			const struct slot *slot = &entry->slots[i];

			r.call = key_call(slot->key);
			r.abi = key_abi(slot->key);
			r.via = key_via(slot->key);
			r.clock = key_clock(slot->key);
			r.where = slot->where;
			r.calls = (struct tally){0};
			tally_outcome(&r.calls, key_outcome(slot->key), slot->count);
			scout_note(e->scout, &r, wants(e, &r));
		}
	}
	late_pass(&e->late, note_late, e);
	scout_look(e->scout, BUDGET_MOST);
}

const struct record *evidences_settled(const struct evidences *e, size_t *nr)
{
	*nr = e->late.nr_settled;
	return e->late.settled;
}

void evidences_complete(struct evidences *e, struct interval *iv)
{
	scout_begin(e->scout, false);
	for (size_t i = 0; i < iv->nr; i++)
		scout_note(e->scout, &iv->records[i], wants(e, &iv->records[i]) | SCOUT_ALL);
	scout_look(e->scout, BUDGET_COMPLETE);
	judge(e, iv, false);
}

bool evidences_of(struct evidences *e, const struct record *r, struct finding *out)
{
	assemble(e, r, out);
	return scout_known(e->scout, r->proc);
}

void evidences_keep(struct evidences *e)
{
	e->keep = true;
}

bool evidences_refused(struct evidences *e)
{
	return attempt_refused(&e->attempt, e->host->clocksource);
}

void evidences_look(struct evidences *e, struct proc_id proc, struct finding *out)
{
	const struct record nothing = {.proc = proc, .call = CALL_CLOCK_GETTIME, .via = VIA_VDSO};

	scout_begin(e->scout, false);
	scout_note(e->scout, &nothing, SCOUT_ALL);
	scout_look(e->scout, LOOK_LONGEST);
	assemble(e, &nothing, out);
}
