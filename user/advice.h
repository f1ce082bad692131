/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of a diagnosis: what a cause means for one call of one process,
 * or for the host, what that rests on, and what to do.  Pure: it words what
 * was found and decided elsewhere, for text and JSON alike.
 */
#ifndef CLOCKTOP_ADVICE_H
#define CLOCKTOP_ADVICE_H

#include <stdbool.h>

#include "buffer.h"
#include "evidence.h"
#include "health.h"
#include "host.h"
#include "record.h"

/* Each holds lines; a line that begins with ADVICE_COMMAND is a command, to be
 * typed as it is.  Foreign bytes are made safe. */
struct advice {
	struct buffer cause, evidence, remedy;
};

#define ADVICE_COMMAND "$ "

/* Start with all zero; advice_clear() empties it and keeps its memory. */
void advice_clear(struct advice *a);
void advice_free(struct advice *a);

/* Whether both say the same. */
bool advice_equal(const struct advice *a, const struct advice *b);

/* Adds what f says of r.  utf8: whether foreign names may stay beyond ASCII. */
void advice_call(struct advice *a, const struct finding *f, const struct record *r,
		 const struct host *host, bool utf8);

/* Whether there is a remedy for the host that would end calls: not where no
 * clocksource is to be had. */
bool advice_host_helps(const struct host *host, const struct health *h);

/* What of the sampled calls the host's remedy would end. */
struct advice_gain {
	uint64_t calls; /* per second */
	double cpu;	/* CPUs; NAN not known */
};

/* Adds what h says of the host.  refused: somebody asked for another
 * clocksource while this program ran, and the current one stayed.  Empty for a
 * healthy host. */
void advice_host(struct advice *a, const struct host *host, const struct health *h,
		 const struct advice_gain *gain, bool refused);

/* Whether the cause of r is host-wide, so that advice_host() says it: no vDSO for
 * anybody, or a clocksource that still is not served. */
bool advice_is_of_host(const struct finding *f, const struct record *r, const struct health *h);

#endif
