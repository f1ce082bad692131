/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that all do the same as often as they can, and how often that is.
 * For the experiments with many readers.
 */
#ifndef CLOCKTOP_BENCH_WORKERS_H
#define CLOCKTOP_BENCH_WORKERS_H

#include <stddef.h>
#include <stdint.h>

#include "bench.h"

/* Does a few reads as thread `index` and returns how many. */
typedef uint64_t (*worker_fn)(void *arg, size_t index);

struct workers_result {
	double per_second;    /* reads of all threads */
	double cpu_ns_a_read; /* CPU time of the process for each of them */
};

/* Runs nr threads for about `seconds` (on b->cpus in turn), and counts
 * what they do once all of them run.  0 or -errno (a thread could not be
 * started). */
int workers_measure(const struct bench_run *b, size_t nr, worker_fn fn, void *arg, double seconds,
		    struct workers_result *result);

#endif
