// SPDX-License-Identifier: GPL-2.0-only
/*
 * `bench cache`: a clock that a ticker thread writes to memory every
 * millisecond, against reading the clock itself and against the kernel's own
 * cached clock (CLOCK_MONOTONIC_COARSE): how often each can be read, and how
 * old what it says is.
 */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_workers.h"
#include "reading.h"
#include "stats.h"

#define ROUNDS 5
#define TICK_NS 1000000

/* Reads in a batch of each way, and batches between two looks at the age:
 * so that looking costs a hundredth of the time, or less. */
#define BATCH_CLOCK 64
#define BATCH_MEMORY 4096
#define LOOK_EVERY 64

/* Ages that a thread keeps. */
#define AGES 256

enum way {
	WAY_DIRECT,
	WAY_CACHED,
	WAY_COARSE,
	NR_WAY,
};

/* A fair sample of a stream without end: when it is full, every other value
 * goes, and from then on half as many are taken. */
struct ages {
	double ns[AGES];
	size_t nr;
	uint64_t stride, until;
	uint64_t batches;
};

struct cache {
	enum way way;
	_Alignas(128) _Atomic uint64_t now; /* what the ticker wrote, ns */
	_Alignas(128) _Atomic int stop;	    /* the ticker's end */
	struct ages *ages;		    /* one a reader */
};

static void keep_age(struct ages *a, double ns)
{
	if (a->until > 0) {
		a->until--;
		return;
	}
	if (a->nr == AGES) {
		for (size_t i = 0; i < AGES / 2; i++)
			a->ns[i] = a->ns[2 * i];
		a->nr = AGES / 2;
		a->stride = a->stride * 2 + 1;
	}
	a->ns[a->nr++] = ns;
	a->until = a->stride;
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

/* The value counts as used. */
#define KEEP(value) __asm__ volatile("" : : "r"(value))

/* A batch of reads of the clock, turned into a number as the cached one is. */
static uint64_t read_clocks(clockid_t clock)
{
	for (int i = 0; i < BATCH_CLOCK; i++)
		KEEP(read_clock(clock));
	return BATCH_CLOCK;
}

static uint64_t read_memory(const struct cache *c)
{
	for (int i = 0; i < BATCH_MEMORY; i++)
		KEEP(atomic_load_explicit(&c->now, memory_order_relaxed));
	return BATCH_MEMORY;
}

static uint64_t read_batch(void *arg, size_t index)
{
	struct cache *c = arg;
	struct ages *a = &c->ages[index];
	bool look = a->batches++ % LOOK_EVERY == 0;
	uint64_t said = 0, reads;

	if (c->way == WAY_DIRECT)
		return read_clocks(CLOCK_MONOTONIC);
	if (c->way == WAY_COARSE) {
		reads = read_clocks(CLOCK_MONOTONIC_COARSE);
		if (look)
			said = read_clock(CLOCK_MONOTONIC_COARSE);
	} else {
		reads = read_memory(c);
		if (look)
			said = atomic_load_explicit(&c->now, memory_order_relaxed);
	}
	if (look) {
		uint64_t now = reading_now();
		keep_age(a, now > said ? (double)(now - said) : 0);
	}
	return reads;
}

static void *tick(void *arg)
{
	const struct timespec pause = {.tv_nsec = TICK_NS};
	struct cache *c = arg;

	while (!atomic_load_explicit(&c->stop, memory_order_relaxed)) {
		atomic_store_explicit(&c->now, reading_now(), memory_order_relaxed);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

/* Runs one round of one way.  0 or -errno. */
static int one_round(const struct bench_run *b, struct cache *c, size_t threads, double seconds,
		     struct workers_result *result)
{
	pthread_t ticker;
	int error;

	if (c->way != WAY_CACHED)
		return workers_measure(b, threads, read_batch, c, seconds, result);
	atomic_store(&c->now, reading_now());
	atomic_store(&c->stop, 0);
	error = pthread_create(&ticker, NULL, tick, c);
	if (error)
		return -error;
	error = workers_measure(b, threads, read_batch, c, seconds, result);
	atomic_store(&c->stop, 1);
	pthread_join(ticker, NULL);
	return error;
}

/* All ages of all readers in one array, *nr of them; NULL when there are none or
 * no memory is left. */
static double *all_ages(const struct cache *c, size_t threads, size_t *nr)
{
	*nr = 0;
	for (size_t i = 0; i < threads; i++)
		*nr += c->ages[i].nr;
	double *ages = *nr ? malloc(*nr * sizeof(*ages)) : NULL;
	if (!ages)
		return NULL;
	size_t n = 0;
	for (size_t i = 0; i < threads; i++) {
		memcpy(ages + n, c->ages[i].ns, c->ages[i].nr * sizeof(*ages));
		n += c->ages[i].nr;
	}
	return ages;
}

/* One way with one number of threads: a row. */
static int measure(struct bench_run *b, enum way way, size_t threads, double seconds, double done,
		   double share)
{
	static const char *const names[NR_WAY] = {"direct", "cached", "coarse"};
	struct cache c = {.way = way};
	struct workers_result result;
	double rate[ROUNDS], median = NAN, high = NAN, most = NAN;
	size_t nr = 0;
	int error = 0;

	c.ages = calloc(threads, sizeof(*c.ages));
	if (!c.ages)
		return -ENOMEM;
	for (int round = 0; round < ROUNDS && !error; round++) {
		bench_progress(b, done + share * round / ROUNDS);
		error = one_round(b, &c, threads, seconds, &result);
		rate[round] = result.per_second;
	}
	double *ages = error ? NULL : all_ages(&c, threads, &nr);
	free(c.ages);
	if (error)
		return error;
	if (ages) {
		struct spread spread = stats_spread(ages, nr);
		median = spread.median / 1e3;
		high = stats_quantile(ages, nr, 0.99) / 1e3;
		most = spread.max / 1e3;
		free(ages);
	}
	struct spread spread = stats_spread(rate, ROUNDS);
	const struct bench_cell cells[] = {
	    {.text = names[way]},      {.number = (double)threads},
	    {.number = spread.median}, {.number = stats_spread_percent(&spread)},
	    {.number = median},	       {.number = high},
	    {.number = most},
	};
	return bench_table_add(&b->table, cells);
}

/* The rows come in threes: direct, cached, coarse. */
static void conclude(struct bench_run *b)
{
	const struct bench_table *t = &b->table;
	size_t last = t->nr_rows - NR_WAY;
	const double direct = bench_table_cell(t, last + WAY_DIRECT, "reads_per_s")->number;
	const double cached = bench_table_cell(t, last + WAY_CACHED, "reads_per_s")->number;
	const double coarse = bench_table_cell(t, last + WAY_COARSE, "reads_per_s")->number;
	const double threads = bench_table_cell(t, last, "threads")->number;

	buffer_format(
	    &b->sentence,
	    "With %.0f thread%s a clock cached by a %d ms ticker is read %.1f times as often "
	    "as the clock itself, and says what was true %.1f ms ago (median; 1 in 100: "
	    "%.1f ms or more). CLOCK_MONOTONIC_COARSE, the kernel's own cached clock, is "
	    "read %.1f times as often and is %.1f ms old, without a thread to keep it.",
	    threads, threads == 1 ? "" : "s", TICK_NS / 1000000, cached / direct,
	    bench_table_cell(t, last + WAY_CACHED, "age_median_us")->number / 1e3,
	    bench_table_cell(t, last + WAY_CACHED, "age_p99_us")->number / 1e3, coarse / direct,
	    bench_table_cell(t, last + WAY_COARSE, "age_median_us")->number / 1e3);
}

static int run(struct bench_run *b)
{
	static const int usual[] = {1, 200};
	const struct options *o = b->options;
	const int *threads = o->nr_bench_threads ? o->bench_threads : usual;
	size_t nr = o->nr_bench_threads ? o->nr_bench_threads : 2;
	double parts = (double)(nr * NR_WAY), seconds = b->seconds / parts / ROUNDS / 1.1;
	int error = 0;

	for (size_t i = 0; i < nr; i++) {
		for (int way = 0; way < NR_WAY && !error; way++)
			error = measure(b, (enum way)way, (size_t)threads[i], seconds,
					(double)(i * NR_WAY + (size_t)way) / parts, 1 / parts);
	}
	if (!error)
		conclude(b);
	return error;
}

static const struct bench_column columns[] = {
    {"way", "way", -1},		  {"threads", "threads", 0},	  {"reads_per_s", "reads/s", 0},
    {"spread_percent", "+-%", 1}, {"age_median_us", "age us", 1}, {"age_p99_us", "99 % us", 1},
    {"age_max_us", "max us", 1},
};

const struct bench_experiment bench_cache = {
    .name = "cache",
    .about = "CLOCK_MONOTONIC read directly, cached by a thread that writes it every "
	     "millisecond, and as CLOCK_MONOTONIC_COARSE: medians of 5 rounds, and how old what "
	     "was read is.",
    .seconds = 6,
    .threads = true,
    .columns = columns,
    .nr_columns = sizeof(columns) / sizeof(columns[0]),
    .run = run,
};
