/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One process's calls, put together for a diagnosis: each (syscall, ABI,
 * clock, via) of it with its rate, cost, finding and advice; and what the
 * host's remedy would do.  Text and JSON are written from these.
 */
#ifndef CLOCKTOP_WHY_CALLS_H
#define CLOCKTOP_WHY_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "advice.h"
#include "health.h"
#include "why.h"

struct why_call {
	struct record r; /* of all the process's threads */
	struct finding f;
	struct advice advice; /* empty when of_host */
	bool of_host;	      /* why_host() tells its cause and remedy */
	double rate;
	double cpu; /* CPUs burnt; NAN not known */
};

struct why_calls {
	struct why_call *calls; /* busiest first, those of one advice together */
	size_t nr;
	double rate;
	double cpu;		 /* as far as known */
	bool cpu_open;		 /* the cost of some is not known */
	struct advice_gain gain; /* of the host's remedy */
};

/* Gathers the calls of proc.  0 or -ENOMEM; why_calls_free() follows in any
 * case.  Holds as long as the findings do. */
int why_calls_gather(struct why_calls *w, const struct why_context *c, const struct health *h,
		     struct proc_id proc);
void why_calls_free(struct why_calls *w);

/* What the host's remedy would do for all processes of the interval. */
struct advice_gain why_gain(const struct why_context *c, const struct health *h);

/* CPUs that count calls of r burn in the interval; NAN not known. */
double why_cpu(const struct why_context *c, const struct record *r);

#endif
