// SPDX-License-Identifier: GPL-2.0-only
/*
 * A command line: the bytes up to each NUL are a word.  Whatever it says,
 * parsing ends in a decision, and what it lets through is in range.
 */
#include <stdio.h>

#include "fuzz.h"
#include "options.h"

#define MAX_WORDS 64
#define MAX_BYTES 1024

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* What parsing says goes nowhere. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static char quiet[] = "-close_fd_mask=3";
	char **more = calloc((size_t)*argc + 2, sizeof(*more));

	CHECK(more != NULL);
	memcpy(more, *argv, (size_t)*argc * sizeof(*more));
	more[(*argc)++] = quiet;
	*argv = more;
	return 0;
}

static void check_range(const struct options *o)
{
	CHECK(o->command < NR_COMMAND && o->group < NR_GROUP && o->sort < NR_SORT);
	CHECK(o->bench < NR_BENCH);
	CHECK(o->delay >= 0.1 && o->iterations >= 0);
	CHECK(o->interval >= 0 && o->interval_count >= 0 && o->timeout >= 0);
	CHECK(o->duration >= 0 && (!o->has_max_rate || o->max_rate >= 0) && o->min_rate >= 0 &&
	      o->seconds >= 0);
	CHECK(o->events != 0 && o->events < 1U << NR_CALL);
	CHECK(!o->csv || *o->csv);
	CHECK(!o->json || *o->json);
	CHECK(!o->argv || *o->argv);
	for (size_t i = 0; i < o->nr_pids; i++)
		CHECK(o->pids[i] > 0);
	for (size_t i = 0; i < o->nr_cpus; i++)
		CHECK(o->cpus[i] >= 0);
	for (size_t i = 0; i < o->nr_bench_threads; i++)
		CHECK(o->bench_threads[i] > 0);
}

static bool repeats(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (data[i] == '{' || (i && strchr("+*?", data[i]) && data[i] &&
				       strchr("+*?)", data[i - 1]) && data[i - 1]))
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[] = "clocktop", *argv[MAX_WORDS + 2] = {name}, *text;
	struct options o;
	int argc = 1;

	/* Repetitions of repetitions, and long expressions: regcomp(3) of a libc
	 * can take memory and time without bound, at the wish of who typed them. */
	if (size > MAX_BYTES || repeats(data, size))
		return 0;
	text = fuzz_text(data, size);
	for (size_t at = 0; at < size && argc <= MAX_WORDS; at += strlen(text + at) + 1)
		argv[argc++] = text + at;
	if (options_parse(&o, argc, argv) == PARSED_RUN)
		check_range(&o);
	options_free(&o);
	free(text);
	return 0;
}
