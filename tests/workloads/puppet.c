// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes clock syscalls when it is told to, and none otherwise.
 *
 *   puppet NAME [THREADS]
 *
 * Its name is NAME; it has THREADS further threads called t1, t2, …  Each line
 * of standard input is
 *
 *   COUNT CLOCK [THREAD]
 *
 * so many calls of clock_gettime(CLOCK), made by libc's syscall(), in the first
 * thread or in THREAD; or "name NAME", a new name for the process.  Each is
 * answered by a line "done".  It ends with its input.
 */
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST_THREADS 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long count;
static int clock_id;
static int turn; /* the thread that is told to; 0 for none */

static void make_calls(long n, int id)
{
	struct timespec t;

	while (n--)
		syscall(SYS_clock_gettime, id, &t);
}

static void *work(void *arg)
{
	const int self = *(const int *)arg;
	char name[16];

	snprintf(name, sizeof(name), "t%d", self);
	prctl(PR_SET_NAME, name);
	pthread_mutex_lock(&lock);
	for (;;) {
		while (turn != self)
			pthread_cond_wait(&changed, &lock);
		make_calls(count, clock_id);
		turn = 0;
		pthread_cond_broadcast(&changed);
	}
	return NULL;
}

/* Has it made, and waits for the end. */
static void tell(int thread)
{
	pthread_mutex_lock(&lock);
	turn = thread;
	pthread_cond_broadcast(&changed);
	while (turn)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[2]) : 0;
	char *line = NULL;
	size_t size = 0;
	static int numbers[MOST_THREADS + 1];

	if (argc < 2 || nr > MOST_THREADS)
		errx(2, "NAME [THREADS], %d at the most", MOST_THREADS);
	for (int i = 1; i <= nr; i++) {
		pthread_t thread;

		numbers[i] = i;
		if (pthread_create(&thread, NULL, work, &numbers[i]))
			errx(1, "pthread_create");
	}
	prctl(PR_SET_NAME, argv[1]);
	while (getline(&line, &size, stdin) > 0) {
		char name[16] = "";
		int thread = 0;

		if (sscanf(line, "name %15[^\n]", name) == 1) {
			prctl(PR_SET_NAME, name);
		} else if (sscanf(line, "%ld %d %d", &count, &clock_id, &thread) >= 2) {
			if (thread < 0 || thread > nr)
				errx(2, "no such thread: %s", line);
			if (thread)
				tell(thread);
			else
				make_calls(count, clock_id);
		} else {
			errx(2, "what is this: %s", line);
		}
		puts("done");
		fflush(stdout);
	}
	return 0;
}
