// SPDX-License-Identifier: GPL-2.0-only
#include "bench_workers.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "reading.h"

/* Enough for a loop that calls the libc, and small enough for thousands. */
#define STACK (64 * 1024)

/* Two cache lines apart: processors fetch them in pairs. */
#define APART 128

struct gang {
	worker_fn fn;
	void *arg;
	pthread_mutex_t lock; /* of go */
	pthread_cond_t gate;
	bool go;
	_Atomic bool stop;
};

struct worker {
	alignas(APART) _Atomic uint64_t done; /* one writer */
	struct gang *gang;
	pthread_t thread;
	size_t index;
	int cpu;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct gang *gang = w->gang;
	uint64_t done = 0;

	bench_pin(w->cpu); /* it was tried before */
	pthread_mutex_lock(&gang->lock);
	while (!gang->go)
		pthread_cond_wait(&gang->gate, &gang->lock);
	pthread_mutex_unlock(&gang->lock);
	while (!atomic_load_explicit(&gang->stop, memory_order_relaxed)) {
		done += gang->fn(gang->arg, w->index);
		atomic_store_explicit(&w->done, done, memory_order_relaxed);
	}
	return NULL;
}

static void sleep_for(double seconds)
{
	struct timespec ts = {.tv_sec = (time_t)seconds};

	ts.tv_nsec = (long)((seconds - (double)ts.tv_sec) * 1e9);
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, &ts) == EINTR)
		;
}

struct moment {
	uint64_t ns, cpu_ns, done;
};

static struct moment now(const struct worker *workers, size_t nr)
{
	struct moment m = {0};
	struct timespec cpu;

	for (size_t i = 0; i < nr; i++)
		m.done += atomic_load_explicit(&workers[i].done, memory_order_relaxed);
	m.ns = reading_now();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	m.cpu_ns = (uint64_t)cpu.tv_sec * 1000000000U + (uint64_t)cpu.tv_nsec;
	return m;
}

/* Starts them; returns how many were. */
static size_t start(const struct bench_run *b, struct worker *workers, size_t nr, struct gang *gang,
		    int *error)
{
	pthread_attr_t attr;
	size_t started = 0;

	*error = pthread_attr_init(&attr);
	if (*error)
		return 0;
	pthread_attr_setstacksize(&attr, STACK > PTHREAD_STACK_MIN ? STACK : PTHREAD_STACK_MIN);
	for (; started < nr; started++) {
		struct worker *w = &workers[started];
		w->gang = gang;
		w->index = started;
		w->cpu = b->cpus[started % b->nr_cpus];
		*error = pthread_create(&w->thread, &attr, work, w);
		if (*error)
			break;
	}
	pthread_attr_destroy(&attr);
	return started;
}

static void open_gate(struct gang *gang)
{
	pthread_mutex_lock(&gang->lock);
	gang->go = true;
	pthread_cond_broadcast(&gang->gate);
	pthread_mutex_unlock(&gang->lock);
}

int workers_measure(const struct bench_run *b, size_t nr, worker_fn fn, void *arg, double seconds,
		    struct workers_result *result)
{
	struct gang gang = {
	    .fn = fn,
	    .arg = arg,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	    .gate = PTHREAD_COND_INITIALIZER,
	};
	struct moment from, to;
	int error;

	struct worker *workers = aligned_alloc(APART, nr * sizeof(*workers));
	if (!workers)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		workers[i] = (struct worker){0};
	size_t started = start(b, workers, nr, &gang, &error);
	if (started < nr)
		atomic_store(&gang.stop, true);
	open_gate(&gang);
	if (started == nr) {
		sleep_for(seconds / 10); /* until all have come through the gate */
		from = now(workers, nr);
		sleep_for(seconds);
		to = now(workers, nr);
		double done = (double)(to.done - from.done);
		result->per_second = done / ((double)(to.ns - from.ns) / 1e9);
		result->cpu_ns_a_read = done > 0 ? (double)(to.cpu_ns - from.cpu_ns) / done : 0;
		atomic_store(&gang.stop, true);
	}
	for (size_t i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	free(workers);
	return -error;
}
