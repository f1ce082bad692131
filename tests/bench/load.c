// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes syscalls and says what one takes.
 *
 *   load clock|fallback|other COUNT [THREADS]
 *   load idle THREADS
 *
 * clock is clock_gettime(CLOCK_MONOTONIC) by syscall(2), fallback is
 * CLOCK_THREAD_CPUTIME_ID through the vDSO, other is getppid.  Each thread makes
 * COUNT of them, on a CPU of its own.  Prints ns a call: the median of batches
 * of a thousand, so that what else the host does falls out, and of several
 * threads the dearest.  COUNT is a multiple of a thousand.
 *
 * idle starts threads that never call anything, prints "ready" and stays until
 * its input ends.
 */
#include <err.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BATCH 1000
#define STACK 65536

enum what {
	WHAT_CLOCK,
	WHAT_FALLBACK,
	WHAT_OTHER,
};

struct job {
	pthread_t thread;
	enum what what;
	long batches;
	int cpu;
	double *ns; /* a call, by batch */
	double median;
};

static pthread_barrier_t start;

static void call(enum what what, struct timespec *ts)
{
	switch (what) {
	case WHAT_CLOCK:
		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, ts);
		break;
	case WHAT_FALLBACK:
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, ts);
		break;
	case WHAT_OTHER:
		syscall(SYS_getppid);
		break;
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void *work(void *arg)
{
	struct job *job = arg;
	struct timespec from, to, ts;
	cpu_set_t set;

	if (job->cpu >= 0) { /* one of several */
		CPU_ZERO(&set);
		CPU_SET(job->cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set) != 0)
			err(1, "CPU %d", job->cpu);
	}
	if (job->cpu >= 0)
		pthread_barrier_wait(&start);
	for (long i = 0; i < job->batches; i++) {
		clock_gettime(CLOCK_MONOTONIC, &from);
		for (int n = 0; n < BATCH; n++)
			call(job->what, &ts);
		clock_gettime(CLOCK_MONOTONIC, &to);
		job->ns[i] = ((double)(to.tv_sec - from.tv_sec) * 1e9 +
			      (double)(to.tv_nsec - from.tv_nsec)) /
			     BATCH;
	}
	qsort(job->ns, (size_t)job->batches, sizeof(*job->ns), ascending);
	job->median = job->ns[job->batches / 2];
	return NULL;
}

static void *idle(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void start_thread(pthread_t *thread, void *(*fn)(void *), void *arg)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK > PTHREAD_STACK_MIN ? STACK : PTHREAD_STACK_MIN);
	int error = pthread_create(thread, &attr, fn, arg);
	if (error)
		errx(1, "thread: %s", strerror(error));
	pthread_attr_destroy(&attr);
}

static int run_idle(long threads)
{
	pthread_t thread;
	char byte;

	for (long i = 0; i < threads; i++)
		start_thread(&thread, idle, NULL);
	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const words[] = {"clock", "fallback", "other"};
	double dearest = 0;
	int what = -1;

	if (argc == 3 && strcmp(argv[1], "idle") == 0)
		return run_idle(strtol(argv[2], NULL, 10));
	for (int i = 0; argc >= 3 && i < 3; i++) {
		if (strcmp(argv[1], words[i]) == 0)
			what = i;
	}
	long count = argc >= 3 ? strtol(argv[2], NULL, 10) : 0;
	long threads = argc >= 4 ? strtol(argv[3], NULL, 10) : 1;
	if (what < 0 || count < BATCH || count % BATCH || threads < 1)
		errx(2, "usage: load clock|fallback|other COUNT [THREADS] | load idle THREADS");
	struct job *jobs = calloc((size_t)threads, sizeof(*jobs));
	if (!jobs)
		err(1, "memory");
	pthread_barrier_init(&start, NULL, (unsigned int)threads);
	for (long i = 0; i < threads; i++) {
		struct job *job = &jobs[i];
		job->what = (enum what)what;
		job->batches = count / BATCH;
		job->cpu = threads > 1 ? (int)(i % sysconf(_SC_NPROCESSORS_ONLN)) : -1;
		job->ns = calloc((size_t)job->batches, sizeof(*job->ns));
		if (!job->ns)
			err(1, "memory");
		if (threads == 1)
			work(job); /* where the tools look for the process */
		else
			start_thread(&job->thread, work, job);
	}
	for (long i = 0; i < threads; i++) {
		if (threads > 1)
			pthread_join(jobs[i].thread, NULL);
		dearest = jobs[i].median > dearest ? jobs[i].median : dearest;
		free(jobs[i].ns);
	}
	free(jobs);
	printf("%.1f\n", dearest);
	return 0;
}
