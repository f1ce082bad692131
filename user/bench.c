// SPDX-License-Identifier: GPL-2.0-only
/* `bench`: runs one experiment and writes what it found. */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "lines.h"
#include "message.h"
#include "output.h"

static const struct bench_experiment *const experiments[NR_BENCH] = {
    [BENCH_CLOCK] = &bench_clock,
    [BENCH_THREADS] = &bench_threads,
    [BENCH_CACHE] = &bench_cache,
    [BENCH_SLEEP] = &bench_sleep,
};

void bench_progress(const struct bench_run *b, double done)
{
	const char *name = experiments[b->options->bench]->name;

	if (!isatty(STDERR_FILENO))
		return;
	if (done < 1)
		fprintf(stderr, "\rclocktop bench %s: %3.0f %% of about %.0f s", name, done * 100,
			ceil(b->seconds));
	else
		fprintf(stderr, "\r%*s\r", 60, "");
	fflush(stderr);
}

int bench_pin(int cpu)
{
	size_t size = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	int error = sched_setaffinity(0, size, set) == 0 ? 0 : -errno;
	CPU_FREE(set);
	return error;
}

/* The CPUs that this process may run on into b->cpus.  0 or -errno. */
static int allowed_cpus(struct bench_run *b)
{
	int room = (int)sysconf(_SC_NPROCESSORS_CONF);
	int error = 0;

	if (room < 1024)
		room = 1024; /* the kernel refuses a set that is smaller than its own */
	size_t size = CPU_ALLOC_SIZE(room);
	cpu_set_t *set = CPU_ALLOC(room);
	b->cpus = calloc((size_t)room, sizeof(*b->cpus));
	if (!set || !b->cpus)
		error = -ENOMEM;
	else if (sched_getaffinity(0, size, set) != 0)
		error = -errno;
	for (int i = 0; i < room && !error; i++) {
		if (CPU_ISSET_S(i, size, set))
			b->cpus[b->nr_cpus++] = i;
	}
	CPU_FREE(set);
	return error;
}

/* b->cpus as --cpus has them, or all.  0 or -errno. */
static int choose_cpus(struct bench_run *b)
{
	const struct options *o = b->options;

	if (!o->nr_cpus)
		return allowed_cpus(b);
	b->cpus = malloc(o->nr_cpus * sizeof(*b->cpus));
	if (!b->cpus)
		return -ENOMEM;
	memcpy(b->cpus, o->cpus, o->nr_cpus * sizeof(*b->cpus));
	b->nr_cpus = o->nr_cpus;
	return 0;
}

/* Pins the calling thread to each CPU of --cpus once, the first one last: there
 * it stays, and threads that pin themselves start there.  false after a message. */
static bool pin_all(const struct options *o)
{
	for (size_t i = o->nr_cpus; i-- > 0;) {
		int error = bench_pin(o->cpus[i]);
		if (error) {
			message("--cpus: cannot run on CPU %d: %s", o->cpus[i], strerror(-error));
			return false;
		}
	}
	return true;
}

#define NR_TARGETS 2

/* One of the files, opened before anything is measured. */
struct target {
	const char *path; /* or NULL */
	struct output *output;
	void (*render)(const struct bench_table *t, const char *experiment, const char *clocksource,
		       struct buffer *to);
};

static int open_target(struct target *t)
{
	int error = t->path ? output_open(&t->output, t->path, OUTPUT_REPLACE) : 0;

	if (error)
		message("%s: %s", t->path, strerror(-error));
	return error;
}

/* Renders and writes.  0 or -errno, after a message unless the reader went
 * away. */
static int write_target(struct target *t, const struct bench_run *b, const char *experiment)
{
	struct buffer text = {0};

	if (!t->output)
		return 0;
	t->render(&b->table, experiment, b->host.clocksource, &text);
	int error = text.failed ? -ENOMEM : output_write(t->output, text.data, text.len);
	buffer_free(&text);
	int closed = output_close(t->output);
	t->output = NULL;
	if (!error)
		error = closed;
	if (error && error != -EPIPE)
		message("%s: %s", t->path, strerror(-error));
	return error;
}

/* Host, table, sentence and remarks, on standard output.  0 or -errno. */
static int print_report(const struct bench_run *b, const struct bench_experiment *e)
{
	const struct lines lines = {.out = stdout, .width = 80};
	struct buffer table = {0};

	lines_paragraph(&lines, 0, "", 0, LINES_PLAIN, e->about);
	printf("Linux %s", b->host.release);
	if (b->host.hypervisor[0])
		printf(", %s guest", b->host.hypervisor);
	printf(", clocksource %s, %d CPU%s\n\n",
	       b->host.clocksource[0] ? b->host.clocksource : "(unknown)", b->host.cpus,
	       b->host.cpus == 1 ? "" : "s");
	bench_table_text(&b->table, &table);
	fputs(buffer_string(&table), stdout);
	int error = table.failed ? -ENOMEM : 0;
	buffer_free(&table);
	printf("\n");
	lines_paragraph(&lines, 0, "", 0, LINES_PLAIN, buffer_string(&b->sentence));
	lines_paragraph(&lines, 0, "", 0, LINES_PLAIN, buffer_string(&b->remarks));
	if (!error && (fflush(stdout) != 0 || ferror(stdout)))
		error = -errno;
	if (error && error != -EPIPE)
		message("standard output: %s", strerror(-error));
	return error;
}

/* Writes what was found to wherever it goes.  Returns the exit status. */
static int report(struct bench_run *b, const struct bench_experiment *e, struct target *targets)
{
	int status = STATUS_OK, error;
	bool silent = false;

	for (size_t i = 0; i < NR_TARGETS; i++) {
		silent = silent || (targets[i].path && strcmp(targets[i].path, "-") == 0);
		error = write_target(&targets[i], b, e->name);
		if (error && error != -EPIPE)
			status = STATUS_INCOMPLETE;
	}
	error = silent ? 0 : print_report(b, e);
	return error && error != -EPIPE ? STATUS_INCOMPLETE : status;
}

static int run(struct bench_run *b, const struct bench_experiment *e)
{
	struct target targets[NR_TARGETS] = {
	    {.path = b->options->csv, .render = bench_table_csv},
	    {.path = b->options->json, .render = bench_table_json},
	};
	int status = STATUS_OK;

	for (size_t i = 0; i < NR_TARGETS && status == STATUS_OK; i++)
		status = open_target(&targets[i]) == 0 ? STATUS_OK : STATUS_USAGE;
	if (status == STATUS_OK) {
		int error = e->run(b);
		bench_progress(b, 1);
		if (error)
			message("bench %s: %s", e->name, strerror(-error));
		status = error ? STATUS_CANNOT : report(b, e, targets);
	}
	for (size_t i = 0; i < NR_TARGETS; i++)
		output_close(targets[i].output); /* what report() did not write */
	return status;
}

int command_bench(const struct options *o)
{
	const struct bench_experiment *e = experiments[o->bench];
	struct bench_run b = {.options = o, .seconds = o->seconds > 0 ? o->seconds : e->seconds};
	struct vdso vdso;

	if (o->nr_bench_threads && !e->threads) {
		message("--threads: bench %s runs one thread. See clocktop bench --help", e->name);
		return STATUS_USAGE;
	}
	int error = choose_cpus(&b);
	if (error) {
		message("bench: %s", strerror(-error));
		free(b.cpus);
		return STATUS_CANNOT;
	}
	int status = STATUS_USAGE;
	if (pin_all(o)) {
		signal(SIGPIPE, SIG_IGN); /* a write says it */
		host_read(&b.host);
		served_ask(&b.served); /* where it cannot be asked, the table says so */
		vdso_own(&vdso);
		vdso_functions(&vdso, &b.vdso);
		bench_table_init(&b.table, e->columns, e->nr_columns);
		status = run(&b, e);
	}
	bench_table_free(&b.table);
	buffer_free(&b.sentence);
	buffer_free(&b.remarks);
	free(b.cpus);
	return status;
}
