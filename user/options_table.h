/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands and their options as one table: names, values, limits and
 * sentences.  Parsing, --help, the manual page and the completions are all
 * made from it.  Plain data: it parses nothing.
 */
#ifndef CLOCKTOP_OPTIONS_TABLE_H
#define CLOCKTOP_OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

/* What a value is, and the type of the field of struct options it fills. */
enum option_kind {
	OPTION_HELP,	     /* no value, no field */
	OPTION_VERSION,	     /* no value, no field */
	OPTION_FLAG,	     /* no value; bool */
	OPTION_TEXT,	     /* const char * */
	OPTION_FILE,	     /* const char *: a file's name, or "-" */
	OPTION_SECONDS,	     /* double, decimals allowed */
	OPTION_MILLISECONDS, /* double, in seconds; typed as whole milliseconds */
	OPTION_RATE,	     /* double, calls a second */
	OPTION_COUNT,	     /* long */
	OPTION_WORD,	     /* an enum: the index in `words` */
	OPTION_EVENTS,	     /* unsigned int: a bit for each of `words` named */
	OPTION_PIDS,	     /* pids, nr_pids */
	OPTION_USERS,	     /* uids, nr_uids */
	OPTION_REGEX,	     /* has_comm, comm, comm_text */
	OPTION_CPUS,	     /* cpus, nr_cpus */
	OPTION_THREADS,	     /* bench_threads, nr_bench_threads */
};

struct option_entry {
	char letter;	       /* the short option, or 0 */
	const char *name;      /* the long option, without dashes */
	const char *value;     /* what the value is called; NULL: takes none */
	unsigned int commands; /* a bit for each enum command that has it */
	enum option_kind kind;
	size_t field;		  /* offset in struct options */
	double min;		  /* of numbers */
	const char *const *words; /* of OPTION_WORD and OPTION_EVENTS, NULL-terminated */
	const char *help;	  /* for --help, the completions and the manual */
	const char *more;	  /* further sentences for the manual, or NULL */
};

struct command_entry {
	const char *name;
	const char *operands;	  /* what may follow the options, or NULL */
	const char *const *words; /* the operand's words, NULL-terminated, or NULL */
	const char *help;	  /* what it does, in a line */
	const char *about;	  /* the same in a few sentences, for --help */
};

extern const struct command_entry command_table[NR_COMMAND];
extern const struct option_entry option_table[];
extern const size_t nr_options;

/* The most that OPTION_SECONDS and OPTION_MILLISECONDS accept, in seconds:
 * nanoseconds still fit in 64 bits. */
#define OPTION_MOST_SECONDS 1e9

/* The most threads that `bench` starts. */
#define OPTION_MOST_THREADS 10000

static inline bool option_has(const struct option_entry *e, enum command command)
{
	return e->commands & 1U << command;
}

#endif
