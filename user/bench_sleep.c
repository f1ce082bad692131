// SPDX-License-Identifier: GPL-2.0-only
/*
 * `bench sleep`: how late a sleep ends.  The kernel may end it as much later as
 * the thread's timer slack says, to wake up for several timers at once; so
 * each length is slept with the slack as it is, and with 1 ns.
 */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "reading.h"
#include "stats.h"

/* Sleeps of one length: as many as fit its share of the time. */
#define FEWEST 3
#define MOST 500

static const double lengths_ns[] = {0, 1, 1e3, 1e4, 5e4, 1e5, 1e6, 1e7, 1e8, 1e9};
#define NR_LENGTHS (sizeof(lengths_ns) / sizeof(lengths_ns[0]))

/* What reading the clock itself adds to a measured time. */
static double read_cost(const struct bench_run *b)
{
	struct reading r;
	double ns[5];

	reading_init(&r, READING_LIBC, CALL_CLOCK_GETTIME, CLOCK_MONOTONIC, &b->vdso);
	reading_time(&r, 256, ns, 5);
	return stats_median(ns, 5);
}

/* Sleeps n times.  0 or -errno. */
static int sleep_often(double length_ns, size_t n, double cost, double *late)
{
	struct timespec ts = {.tv_sec = (time_t)(length_ns / 1e9)};

	ts.tv_nsec = (long)(length_ns - (double)ts.tv_sec * 1e9);
	for (size_t i = 0; i < n; i++) {
		uint64_t start = reading_now();
		if (nanosleep(&ts, NULL) != 0)
			return -errno;
		late[i] = (double)(reading_now() - start) - length_ns - cost;
	}
	return 0;
}

/* How many sleeps of that length are made; 0 when they would take too long. */
static size_t how_many(double length_ns, double seconds)
{
	const size_t lengths = NR_LENGTHS;
	double share = seconds * 1e9 / (2 * (double)lengths);
	double n = floor(share / (length_ns + 1e5));

	if (2 * FEWEST * length_ns > seconds * 1e9)
		return 0;
	return n < FEWEST ? FEWEST : n > MOST ? MOST : (size_t)n;
}

static int measure(struct bench_run *b, double length_ns, double slack, double cost)
{
	size_t n = how_many(length_ns, b->seconds);

	if (n == 0)
		return 0;
	double *late = malloc(n * sizeof(*late));
	if (!late)
		return -ENOMEM;
	int error = sleep_often(length_ns, n, cost, late);
	struct spread spread = stats_spread(late, error ? 0 : n);
	free(late);
	if (error)
		return error;
	const struct bench_cell cells[] = {
	    {.number = length_ns},	  {.number = slack},
	    {.number = (double)n},	  {.number = spread.median / 1e3},
	    {.number = spread.low / 1e3}, {.number = spread.high / 1e3},
	    {.number = spread.max / 1e3},
	};
	return bench_table_add(&b->table, cells);
}

/* The median lateness of that length and slack, in us. */
static double late_us(const struct bench_run *b, double length_ns, double slack)
{
	const struct bench_table *t = &b->table;

	for (size_t i = 0; i < t->nr_rows; i++) {
		if (bench_table_cell(t, i, "asked_ns")->number == length_ns &&
		    bench_table_cell(t, i, "slack_ns")->number == slack)
			return bench_table_cell(t, i, "late_us")->number;
	}
	return NAN;
}

static void conclude(struct bench_run *b, double slack)
{
	double usual = late_us(b, 1e3, slack), tight = late_us(b, 1e3, 1);

	buffer_format(
	    &b->sentence,
	    "A sleep of 1 us ends %.1f us late with a timer slack of %.0f us, and %.1f us "
	    "late with 1 ns: a loop that sleeps 1 us each turn makes %.0f turns a second, "
	    "and %.0f. No sleep is shorter than waking up is.",
	    usual, slack / 1e3, tight, 1e6 / (1 + usual), 1e6 / (1 + tight));
}

static int run(struct bench_run *b)
{
	int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
	double cost = read_cost(b), all = 0, done = 0;
	int error = 0;

	if (slack < 0)
		return -errno;
	for (size_t i = 0; i < NR_LENGTHS; i++)
		all += 2 * (double)how_many(lengths_ns[i], b->seconds) * (lengths_ns[i] + 6e4);
	for (size_t i = 0; i < NR_LENGTHS && !error; i++) {
		for (int tight = 0; tight < 2 && !error; tight++) {
			bench_progress(b, done / all);
			/* 0 would mean the default that the thread started with. */
			unsigned long ns = tight ? 1 : (unsigned long)slack;
			if (prctl(PR_SET_TIMERSLACK, ns, 0, 0, 0) != 0)
				return -errno;
			error = measure(b, lengths_ns[i], (double)ns, cost);
			done += (double)how_many(lengths_ns[i], b->seconds) * (lengths_ns[i] + 6e4);
		}
	}
	if (!error)
		conclude(b, slack);
	return error;
}

static const struct bench_column columns[] = {
    {"asked_ns", "asked ns", 0},  {"slack_ns", "slack ns", 0},	 {"sleeps", "sleeps", 0},
    {"late_us", "late us", 1},	  {"late_low_us", "25 % us", 1}, {"late_high_us", "75 % us", 1},
    {"late_max_us", "max us", 1},
};

const struct bench_experiment bench_sleep = {
    .name = "sleep",
    .about = "How late nanosleep() ends: medians, quartiles and the worst, with the timer "
	     "slack as set and with 1 ns.",
    .seconds = 8,
    .columns = columns,
    .nr_columns = sizeof(columns) / sizeof(columns[0]),
    .run = run,
};
