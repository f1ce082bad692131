// SPDX-License-Identifier: GPL-2.0-only
/*
 * `bench threads`: how reads of one clock add up over threads.  A counter in
 * each CPU scales with them; a device that all share answers one at a time,
 * so the total stops growing.
 */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>

#include "bench_workers.h"
#include "reading.h"
#include "stats.h"

#define ROUNDS 5
/* Reads between two looks at whether it is over. */
#define BATCH 64

static uint64_t read_batch(void *arg, size_t index)
{
	(void)index;
	reading_repeat(arg, BATCH);
	return BATCH;
}

/* 1, 2, 4, … and the number of CPUs itself, unless --threads says.  The caller
 * frees it; NULL without memory. */
static int *thread_counts(const struct bench_run *b, size_t *nr)
{
	const struct options *o = b->options;
	int cpus = (int)b->nr_cpus;
	int *counts = malloc((o->nr_bench_threads + 64) * sizeof(*counts));

	*nr = 0;
	if (!counts)
		return NULL;
	for (size_t i = 0; i < o->nr_bench_threads; i++)
		counts[(*nr)++] = o->bench_threads[i];
	if (*nr)
		return counts;
	for (int n = 1; n < cpus; n *= 2)
		counts[(*nr)++] = n;
	counts[(*nr)++] = cpus;
	return counts;
}

/* What it means.  The CPU time of a read decides: unlike the rate it stays the
 * same when others use the CPUs too. */
static void conclude(struct bench_run *b)
{
	const struct bench_table *t = &b->table;
	size_t few = 0, many = 0;

	for (size_t i = 1; i < t->nr_rows; i++) {
		double n = bench_table_cell(t, i, "threads")->number;
		if (n < bench_table_cell(t, few, "threads")->number)
			few = i;
		if (n > bench_table_cell(t, many, "threads")->number)
			many = i;
	}
	double few_ns = bench_table_cell(t, few, "cpu_ns_a_read")->number;
	double many_ns = bench_table_cell(t, many, "cpu_ns_a_read")->number;
	double rate = bench_table_cell(t, many, "reads_per_s")->number;
	double threads = bench_table_cell(t, many, "threads")->number;
	buffer_format(&b->sentence,
		      "%.0f thread%s read CLOCK_MONOTONIC %.2f million times a second in all, at "
		      "%.1f ns of CPU a read. ",
		      threads, threads == 1 ? "" : "s", rate / 1e6, many_ns);
	if (few == many)
		buffer_text(&b->sentence,
			    "One number of threads says nothing of how reads add up.");
	else if (many_ns < 1.5 * few_ns)
		buffer_format(&b->sentence,
			      "With %.0f it is %.1f ns: readers do not get in each other's way.",
			      bench_table_cell(t, few, "threads")->number, few_ns);
	else
		buffer_format(&b->sentence,
			      "With %.0f it is %.1f ns: readers wait for each other, and %s.",
			      bench_table_cell(t, few, "threads")->number, few_ns,
			      b->served.gettime[CLOCK_MONOTONIC] == SERVED_YES
				  ? "share the cores"
				  : "the total is what the clocksource gives");
}

/* One number of threads. */
static int measure(struct bench_run *b, struct reading *r, int threads, double seconds, double done,
		   double share, double *one)
{
	double rate[ROUNDS], cpu[ROUNDS], used[ROUNDS];
	struct workers_result result;

	for (int round = 0; round < ROUNDS; round++) {
		bench_progress(b, done + share * round / ROUNDS);
		int error = workers_measure(b, (size_t)threads, read_batch, r, seconds, &result);
		if (error)
			return error;
		rate[round] = result.per_second;
		cpu[round] = result.cpu_ns_a_read;
		used[round] = result.per_second * result.cpu_ns_a_read / 1e9;
	}
	struct spread spread = stats_spread(rate, ROUNDS);
	if (*one == 0)
		*one = spread.median;
	const struct bench_cell cells[] = {
	    {.number = threads},
	    {.number = stats_median(used, ROUNDS)},
	    {.number = spread.median},
	    {.number = stats_spread_percent(&spread)},
	    {.number = stats_median(cpu, ROUNDS)},
	    {.number = spread.median / *one},
	};
	return bench_table_add(&b->table, cells);
}

static int run(struct bench_run *b)
{
	struct reading r;
	double one = 0;
	size_t nr;
	int error = 0;

	reading_init(&r, READING_LIBC, CALL_CLOCK_GETTIME, CLOCK_MONOTONIC, &b->vdso);
	int *counts = thread_counts(b, &nr);
	if (!counts)
		return -ENOMEM;
	/* A tenth of each round is its beginning. */
	double seconds = b->seconds / (double)(nr * ROUNDS) / 1.1;
	for (size_t i = 0; i < nr && !error; i++)
		error = measure(b, &r, counts[i], seconds, (double)i / (double)nr, 1 / (double)nr,
				&one);
	free(counts);
	if (!error)
		conclude(b);
	return error;
}

static const struct bench_column columns[] = {
    {"threads", "threads", 0},
    {"cpus_used", "CPUs used", 2},
    {"reads_per_s", "reads/s", 0},
    {"spread_percent", "+-%", 1},
    {"cpu_ns_a_read", "CPU ns a read", 1},
    {"times_the_first", "times the first", 2},
};

const struct bench_experiment bench_threads = {
    .name = "threads",
    .about = "How often threads read CLOCK_MONOTONIC through libc, all at once, each kept on "
	     "a CPU in turn: medians of 5 rounds, and half the distance of the quartiles "
	     "(+-%).",
    .seconds = 4,
    .threads = true,
    .columns = columns,
    .nr_columns = sizeof(columns) / sizeof(columns[0]),
    .run = run,
};
