// SPDX-License-Identifier: GPL-2.0-only
/* `bench clock`: what a read of each clock costs, through libc and as a syscall. */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "reading.h"
#include "selfcount.h"
#include "stats.h"

/* Short batches and many rounds: few of them are disturbed, and the median is
 * one of the others. */
#define BATCH_NS 100000
#define ROUNDS_MOST 501
#define ROUNDS_FEWEST 5
/* Rounds' worth of time that finding the batch sizes takes, at the most. */
#define CALIBRATION 3
/* Reads that are counted in the kernel. */
#define COUNTED 1000

#define ROWS (NR_CLOCKS + 2)

/* One clock: its two readings and their times. */
struct clock_row {
	char name[CLOCK_NAME];
	struct reading reading[2]; /* libc, syscall */
	bool there[2];
	uint64_t n[2];
	double ns[2][ROUNDS_MOST];
	struct spread spread[2];
};

/* Each clock that the kernel knows, and the two calls that take none.  Returns
 * how many. */
static size_t make_rows(const struct bench_run *b, struct clock_row *rows)
{
	static const enum reading_way ways[2] = {READING_LIBC, READING_SYSCALL};
	size_t nr = 0;

	for (int32_t i = 0; i < NR_CLOCKS + 2; i++) {
		enum call call = i < NR_CLOCKS	  ? CALL_CLOCK_GETTIME
				 : i == NR_CLOCKS ? CALL_GETTIMEOFDAY
						  : CALL_TIME;
		if (i < NR_CLOCKS && !b->served.exists[i])
			continue;
		if (abi_number(abi_host(), call) < 0)
			continue; /* arm64 has no time */
		struct clock_row *row = &rows[nr++];
		clock_name(row->name, sizeof(row->name), call, i < NR_CLOCKS ? i : 0);
		for (int way = 0; way < 2; way++)
			row->there[way] = reading_init(&row->reading[way], ways[way], call,
						       i < NR_CLOCKS ? i : 0, &b->vdso);
	}
	return nr;
}

/* Rounds go over all clocks in turn, so that a disturbance of the host meets
 * one round of each and not all rounds of one. */
static void measure(const struct bench_run *b, struct clock_row *rows, size_t nr)
{
	double turn = b->seconds * 1e9 / (double)(nr * 2); /* ns for each reading */
	double fit = turn / BATCH_NS - CALIBRATION;
	size_t rounds = fit < ROUNDS_FEWEST ? ROUNDS_FEWEST
			: fit > ROUNDS_MOST ? ROUNDS_MOST
					    : (size_t)fit;
	uint64_t batch_ns = (uint64_t)(turn / (double)(rounds + CALIBRATION));

	for (size_t i = 0; i < nr; i++) {
		for (int way = 0; way < 2; way++) {
			if (rows[i].there[way])
				rows[i].n[way] = reading_batch(&rows[i].reading[way], batch_ns / 2);
		}
	}
	for (size_t round = 0; round < rounds; round++) {
		if (round % 16 == 0)
			bench_progress(b, (double)round / (double)rounds);
		for (size_t i = 0; i < nr; i++) {
			for (int way = 0; way < 2; way++) {
				if (rows[i].there[way])
					reading_time(&rows[i].reading[way], rows[i].n[way],
						     &rows[i].ns[way][round], 1);
			}
		}
	}
	for (size_t i = 0; i < nr; i++) {
		for (int way = 0; way < 2; way++)
			rows[i].spread[way] =
			    stats_spread(rows[i].ns[way], rows[i].there[way] ? rounds : 0);
	}
}

static void read_counted(void *arg)
{
	reading_repeat(arg, COUNTED);
}

/* How many of COUNTED reads through libc become syscalls: NAN each where that
 * cannot be counted, and then a remark says why. */
static void count(struct bench_run *b, struct clock_row *rows, size_t nr, double *became)
{
	struct selfcount *self;
	uint64_t calls;
	char err[256];

	for (size_t i = 0; i < nr; i++)
		became[i] = NAN;
	int error = selfcount_open(&self, err, sizeof(err));
	if (error) {
		buffer_format(&b->remarks, "Not counted how many reads became syscalls: %s ", err);
		return;
	}
	for (size_t i = 0; i < nr && !error; i++) {
		error = selfcount_run(self, read_counted, &rows[i].reading[0], &calls);
		if (!error)
			became[i] = (double)calls;
	}
	if (error)
		buffer_format(&b->remarks, "Not counted how many reads became syscalls: %s ",
			      strerror(-error));
	selfcount_close(self);
}

static const char *served_word(enum served_state state)
{
	return state == SERVED_YES ? "yes" : state == SERVED_NO ? "no" : NULL;
}

/* "2.2 % of a CPU": what a million reads a second take at that price. */
static void add_share(struct buffer *to, double ns)
{
	if (ns < 1000)
		buffer_format(to, "%.1f %% of a CPU", ns / 10);
	else
		buffer_format(to, "%.1f CPUs", ns / 1000);
}

/* What one read more or less means, from the figures of CLOCK_MONOTONIC. */
static void conclude(struct bench_run *b, const struct clock_row *rows, size_t nr)
{
	const struct clock_row *row = NULL, *coarse = NULL;

	for (size_t i = 0; i < nr; i++) {
		if (rows[i].reading[0].call != CALL_CLOCK_GETTIME)
			continue;
		if (rows[i].reading[0].clock == CLOCK_MONOTONIC)
			row = &rows[i];
		if (rows[i].reading[0].clock == CLOCK_MONOTONIC_COARSE)
			coarse = &rows[i];
	}
	if (!row)
		return;
	double libc = row->spread[0].median, kernel = row->spread[1].median;
	if (b->served.gettime[CLOCK_MONOTONIC] == SERVED_YES) {
		buffer_text(&b->sentence, "A program that reads CLOCK_MONOTONIC a million times a "
					  "second spends ");
		add_share(&b->sentence, libc);
		buffer_format(&b->sentence,
			      " on it; as syscalls, at %.1f times the price, the same "
			      "reads would take ",
			      kernel / libc);
		add_share(&b->sentence, kernel);
		buffer_char(&b->sentence, '.');
		return;
	}
	buffer_text(&b->sentence, "Each read of CLOCK_MONOTONIC is a syscall here: a program that "
				  "makes a million of them a second spends ");
	add_share(&b->sentence, libc);
	buffer_text(&b->sentence, " on it.");
	if (coarse && b->served.gettime[CLOCK_MONOTONIC_COARSE] == SERVED_YES)
		buffer_format(
		    &b->sentence,
		    " It is %.0f times dearer than CLOCK_MONOTONIC_COARSE, which the vDSO "
		    "serves on any clocksource. `clocktop why` says what to do.",
		    libc / coarse->spread[0].median);
}

static int add_row(struct bench_table *table, const struct clock_row *row, const char *served,
		   double became)
{
	const char *call = call_name(row->reading[0].call);
	bool named = row->name[0] != '\0';
	const struct bench_cell cells[] = {
	    {.text = named ? row->name + strlen("CLOCK_") : call},
	    {.text = call},
	    {.text = named ? row->name : NULL},
	    {.text = served},
	    {.number = row->spread[0].median},
	    {.number = stats_spread_percent(&row->spread[0])},
	    {.number = row->spread[1].median},
	    {.number = stats_spread_percent(&row->spread[1])},
	    {.number = row->spread[1].median / row->spread[0].median},
	    {.number = became},
	};

	return bench_table_add(table, cells);
}

static int run(struct bench_run *b)
{
	double became[ROWS];
	struct clock_row *rows = calloc(ROWS, sizeof(*rows));
	int error = 0;

	if (!rows)
		return -ENOMEM;
	size_t nr = make_rows(b, rows);
	measure(b, rows, nr);
	count(b, rows, nr, became);
	for (size_t i = 0; i < nr && !error; i++) {
		const struct reading *r = &rows[i].reading[0];
		error =
		    add_row(&b->table, &rows[i],
			    served_word(served_state(&b->served, r->call, r->clock)), became[i]);
	}
	if (!error)
		conclude(b, rows, nr);
	free(rows);
	return error;
}

static const struct bench_column columns[] = {
    {NULL, "clock", -1},
    {"syscall", NULL, -1},
    {"clock", NULL, -1},
    {"served", "served", -1},
    {"libc_ns", "libc ns", 1},
    {"libc_spread_percent", "+-%", 1},
    {"syscall_ns", "syscall ns", 1},
    {"syscall_spread_percent", "+-%", 1},
    {"ratio", "ratio", 1},
    {"syscalls_per_1000", "syscalls", 0},
};

const struct bench_experiment bench_clock = {
    .name = "clock",
    .about = "What a read of each clock costs, through libc and as a raw syscall: medians, "
	     "and half the distance of the quartiles (+-%). In the last column, how many of "
	     "1,000 reads through libc became syscalls.",
    .seconds = 2,
    .columns = columns,
    .nr_columns = sizeof(columns) / sizeof(columns[0]),
    .run = run,
};
