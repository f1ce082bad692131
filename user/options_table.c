// SPDX-License-Identifier: GPL-2.0-only
#include "options_table.h"

#define TOP (1U << COMMAND_TOP)
#define STAT (1U << COMMAND_STAT)
#define WHY (1U << COMMAND_WHY)
#define CHECK (1U << COMMAND_CHECK)
#define BENCH (1U << COMMAND_BENCH)
#define ALL (TOP | STAT | WHY | CHECK | BENCH)
#define FIELD(name) offsetof(struct options, name)

/* In the order of enum group, enum sort, enum bench and enum call. */
static const char *const groups[] = {"process", "command", "container", NULL};
static const char *const sorts[] = {"rate",    "total", "cpu",	 "pid", "user",
				    "command", "clock", "cause", NULL};
static const char *const benches[] = {"clock", "threads", "cache", "sleep", NULL};
static const char *const events[] = {
    "gettimeofday",	   "time", "clock_gettime", "clock_getres", "clock_gettime64",
    "clock_getres_time64", NULL};

const struct command_entry command_table[NR_COMMAND] = {
    [COMMAND_TOP] =
	{
	    .name = "top",
	    .help = "the live screen (default)",
	    .about = "Shows which processes make real clock syscalls, how many a "
		     "second, at what CPU cost, and why.",
	},
    [COMMAND_STAT] =
	{
	    .name = "stat",
	    .operands = "[--] [COMMAND [ARG...]]",
	    .help = "rates of the host or of a command, as perf stat prints them",
	    .about = "Counts clock syscalls: of COMMAND and all its descendants, of "
		     "the processes given, or of the whole host. The first word that "
		     "is no option starts COMMAND.",
	},
    [COMMAND_WHY] =
	{
	    .name = "why",
	    .operands = "[PID...]",
	    .help = "the diagnosis: causes, evidence and remedies",
	    .about = "Says why this host's processes, or the PIDs named, make clock "
		     "syscalls, and what to do.",
	},
    [COMMAND_CHECK] =
	{
	    .name = "check",
	    .help = "a verdict for scripts, as exit status",
	    .about = "Says whether this host's vDSO serves the clocks. Exit status 0 "
		     "healthy, 1 not.",
	},
    [COMMAND_BENCH] =
	{
	    .name = "bench",
	    .operands = "[clock|threads|cache|sleep]",
	    .words = benches,
	    .help = "what reading the clock costs here",
	    .about = "Measures what reading the clock costs on this host. Without a "
		     "word it is clock.",
	},
};

const struct option_entry option_table[] = {
    {'p', "pid", "PID[,PID...]", TOP | STAT, OPTION_PIDS, .field = FIELD(pids),
     .help = "these processes and what they fork",
     .more = "They are followed in the kernel. The other filters choose what is shown; the "
	     "totals of the header stay the host's."},
    {'u', "user", "USER[,USER...]", TOP | STAT, OPTION_USERS, .field = FIELD(uids),
     .help = "processes of these users (name or uid)"},
    {'c', "comm", "REGEX", TOP | STAT, OPTION_REGEX, .field = FIELD(comm),
     .help = "processes whose name matches",
     .more = "REGEX is a POSIX extended regular expression."},
    {'e', "event", "NAME[,NAME...]", TOP | STAT, OPTION_EVENTS, .field = FIELD(events),
     .words = events, .help = "these clock syscalls (default: all)"},
    {'H', "threads", NULL, TOP | STAT, OPTION_FLAG, .field = FIELD(threads),
     .help = "a row for each thread"},
    {'g', "group", "WHAT", TOP | STAT, OPTION_WORD, .field = FIELD(group), .words = groups,
     .help = "what a row stands for (default: process)",
     .more =
	 "With command all processes of one name are added up: for swarms of short-lived ones."},
    {0, "min-rate", "N", TOP | STAT, OPTION_RATE, .field = FIELD(min_rate),
     .help = "leave out rows below N calls a second"},
    {0, "csv", "FILE", TOP | STAT | WHY | BENCH, OPTION_FILE, .field = FIELD(csv),
     .help = "write records to FILE as CSV as well",
     .more = "\"-\" is standard output, and then nothing else is printed there."},
    {0, "json", "FILE", TOP | STAT | WHY | BENCH, OPTION_FILE, .field = FIELD(json),
     .help = "write records to FILE as JSON Lines as well",
     .more = "\"-\" is standard output, and then nothing else is printed there."},

    {'d', "delay", "SECONDS", TOP | WHY, OPTION_SECONDS, .field = FIELD(delay), .min = 0.1,
     .help = "time of a refresh or a sample (default: 1)",
     .more = "Decimals are allowed; 0.1 at the least. For the live screen it is the time "
	     "between two refreshes."},
    {'n', "iterations", "N", TOP, OPTION_COUNT, .field = FIELD(iterations), .min = 1,
     .help = "end after N refreshes"},
    {'b', "batch", NULL, TOP, OPTION_FLAG, .field = FIELD(batch),
     .help = "plain text, one block a refresh",
     .more = "This is the default when standard output is no terminal."},
    {'s', "sort", "FIELD", TOP, OPTION_WORD, .field = FIELD(sort), .words = sorts,
     .help = "sort the rows (default: rate)"},

    {'I', "interval", "MS", STAT, OPTION_MILLISECONDS, .field = FIELD(interval), .min = 10,
     .help = "print counts every MS milliseconds (10 or more)"},
    {0, "interval-count", "N", STAT, OPTION_COUNT, .field = FIELD(interval_count), .min = 1,
     .help = "end after N intervals"},
    {0, "timeout", "MS", STAT, OPTION_MILLISECONDS, .field = FIELD(timeout), .min = 10,
     .help = "end after MS milliseconds (10 or more)", .more = "COMMAND is sent SIGTERM then."},
    {'a', "all-cpus", NULL, STAT, OPTION_FLAG, .field = FIELD(all),
     .help = "the whole host, while COMMAND runs if there is one",
     .more = "This is the default without -p and COMMAND."},
    {'x', "field-separator", "SEP", STAT, OPTION_TEXT, .field = FIELD(separator),
     .help = "machine-readable fields with SEP between them"},
    {'o', "output", "FILE", STAT, OPTION_FILE, .field = FIELD(output),
     .help = "print to FILE (default: standard error)", .more = "\"-\" is standard output."},
    {0, "append", NULL, STAT, OPTION_FLAG, .field = FIELD(append),
     .help = "append to the file of --output"},

    {0, "max-rate", "N", CHECK, OPTION_RATE, .field = FIELD(max_rate),
     .help = "no process may make more than N clock syscalls a second",
     .more = "Each one that does is named, and the exit status is 1."},
    {0, "duration", "SECONDS", CHECK, OPTION_SECONDS, .field = FIELD(duration), .min = 0.1,
     .help = "how long --max-rate counts (default: 1)"},

    {0, "cpus", "LIST", BENCH, OPTION_CPUS, .field = FIELD(cpus),
     .help = "run on these CPUs only, as in 0-3,5"},
    {0, "threads", "N[,N...]", BENCH, OPTION_THREADS, .field = FIELD(bench_threads), .min = 1,
     .help = "how many threads read the clock at once"},
    {0, "seconds", "S", BENCH, OPTION_SECONDS, .field = FIELD(seconds), .min = 0.1,
     .help = "how long the experiment takes"},

    {'h', "help", NULL, ALL, OPTION_HELP, .help = "print this help and end"},
    {'V', "version", NULL, ALL, OPTION_VERSION, .help = "print the version and end"},
};
const size_t nr_options = sizeof(option_table) / sizeof(option_table[0]);
