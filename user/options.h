/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything the command line decided.  Filled by options_parse() and only
 * read by the rest.  One declarative table (options_table.h) drives parsing,
 * --help, the manual's synopsis and options, and the completions.
 */
#ifndef CLOCKTOP_OPTIONS_H
#define CLOCKTOP_OPTIONS_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "records.h"

enum command {
	COMMAND_TOP,
	COMMAND_STAT,
	COMMAND_WHY,
	COMMAND_CHECK,
	COMMAND_BENCH,
	NR_COMMAND,
};

enum group {
	GROUP_PROCESS,
	GROUP_COMMAND,
	GROUP_CONTAINER,
	NR_GROUP,
};

enum sort {
	SORT_RATE,
	SORT_TOTAL,
	SORT_CPU,
	SORT_PID,
	SORT_USER,
	SORT_COMMAND,
	SORT_CLOCK,
	SORT_CAUSE,
	NR_SORT,
};

enum bench {
	BENCH_CLOCK,
	BENCH_THREADS,
	BENCH_CACHE,
	BENCH_SLEEP,
	NR_BENCH,
};

struct options {
	enum command command;

	/* Shared by top and stat (pids are also why's PIDs). */
	uint32_t *pids;
	size_t nr_pids;
	uid_t *uids;
	size_t nr_uids;
	bool has_comm;
	regex_t comm;
	char *comm_text;
	unsigned int events; /* bit per enum call; all bits set by default */
	bool threads;
	enum group group;
	bool has_group;	  /* -g was given */
	const char *csv;  /* file, "-", or NULL */
	const char *json; /* file, "-", or NULL */
	double min_rate;

	/* top; delay also serves why. */
	double delay;	 /* seconds, 0.1 or more */
	long iterations; /* 0: for ever */
	bool batch;	 /* asked for, or standard output is no terminal */
	enum sort sort;

	/* stat */
	double interval;       /* seconds; 0: none */
	long interval_count;   /* 0: for ever */
	double timeout;	       /* seconds; 0: none */
	bool all;	       /* -a */
	const char *separator; /* -x, or NULL */
	const char *output;    /* -o, or NULL: standard error as perf stat does */
	bool append;
	char **argv; /* COMMAND and its arguments, NULL-terminated; or NULL */

	/* check */
	bool has_max_rate;
	double max_rate;
	double duration; /* seconds */

	/* bench */
	enum bench bench;
	int *cpus;
	size_t nr_cpus;
	int *bench_threads;
	size_t nr_bench_threads;
	double seconds; /* 0: the experiment's own length */
};

/* What the caller does after parsing. */
enum parsed {
	PARSED_RUN,   /* run o->command */
	PARSED_DONE,  /* --help or --version was printed; exit 0 */
	PARSED_ERROR, /* one line went to standard error; exit 2 */
};

/* Fills o from argv, which must outlive it and be NULL-terminated.
 * options_free() gives back what it allocated, after any result.  It looks
 * up users (getpwnam_r) and whether the processes exist (/proc). */
enum parsed options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);

/* Whether only followed processes are shown, and forks are followed: with -p,
 * and with COMMAND unless -a is given. */
bool options_follow(const struct options *o);

/* Whether COMMAND itself is what is counted: it was given alone, without -a
 * and without -p. */
bool options_counts_command(const struct options *o);

/* Prints a command's --help to standard output: at most 80 columns wide. */
void options_help(enum command command);

#endif
