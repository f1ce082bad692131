/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The experiments of `bench`: each fills a table and says in a sentence what
 * its numbers mean on this host.  bench.c runs them, shows progress and
 * writes the results; an experiment prints nothing.
 */
#ifndef CLOCKTOP_BENCH_H
#define CLOCKTOP_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "bench_table.h"
#include "buffer.h"
#include "host.h"
#include "options.h"
#include "served.h"
#include "vdso.h"

/* What an experiment runs in. */
struct bench_run {
	const struct options *options;
	struct host host;
	struct served served;
	struct vdso_functions vdso;
	double seconds; /* about how long it may take */
	int *cpus;	/* --cpus, or all that this process may run on */
	size_t nr_cpus;
	struct bench_table table;
	struct buffer sentence; /* wrapped when it is printed */
	struct buffer remarks;	/* further lines, each with its newline */
};

/* Says on standard error, when that is a terminal, how much is done (0 … 1). */
void bench_progress(const struct bench_run *b, double done);

/* Keeps the calling thread on one CPU.  0 or -errno. */
int bench_pin(int cpu);

struct bench_experiment {
	const char *name;
	const char *about; /* the line above the table */
	double seconds;	   /* its length when --seconds does not say */
	bool threads;	   /* takes --threads */
	const struct bench_column *columns;
	size_t nr_columns;
	/* Fills b->table and b->sentence.  0 or -errno. */
	int (*run)(struct bench_run *b);
};

extern const struct bench_experiment bench_clock, bench_threads, bench_cache, bench_sleep;

#endif
