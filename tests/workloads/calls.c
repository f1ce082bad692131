// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes an exact number of clock calls, and no other clock syscalls.
 *
 *   calls [OPTIONS] COUNT KIND CLOCKS WAY
 *
 * KIND and WAY are words of ways.h.  CLOCKS is a clock id, a range like
 * 100-139, "pid:N", "tid:N" (another task's CPU clock), "fd:N", or "-" for
 * gettimeofday and time.  Each clock is called COUNT times,
 *
 *   -t THREADS    by each of that many threads at once, not the first one
 *   -l            … of which the i-th of T makes COUNT * i / T calls, so that
 *                 threads exit while others go on; and the first thread, which
 *                 makes none, exits before them all
 *   -f PROCESSES  by each of that many child processes
 *   -j JOBS       … so many of them at a time (default 1)
 *   -x EXECS      again after each of that many execs of itself
 *   -X            … and the execs are made by a thread that is not the first
 *   -d            by a daemon (setsid, two forks); the first process waits
 *   -b            with a bad pointer
 *   -u MICROS     sleeping so long after each call
 *   -p            first prints its pid, and waits for SIGUSR1
 *   -n NAME       under this name
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "ways.h"

#define STACK_SIZE 131072 /* the least that arm64 takes */

static long count;
static struct spec spec;
static int clock_from, clock_to;
static long nr_threads;
static bool staggered;
static useconds_t pause_us;
static pthread_barrier_t start;

static long number(const char *text)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || *end || end == text)
		errx(2, "not a number: %s", text);
	return n;
}

static void parse_clocks(char *text)
{
	char *dash = strchr(text + 1, '-');

	if (strcmp(text, "-") == 0)
		return;
	if (strncmp(text, "pid:", 4) == 0) {
		clock_from = (int)((~(unsigned int)number(text + 4) << 3) | 2);
	} else if (strncmp(text, "tid:", 4) == 0) {
		clock_from = (int)((~(unsigned int)number(text + 4) << 3) | 6);
	} else if (strncmp(text, "fd:", 3) == 0) {
		clock_from = (int)((~(unsigned int)number(text + 3) << 3) | 3);
	} else if (dash) {
		*dash = '\0';
		clock_from = (int)number(text);
		clock_to = (int)number(dash + 1);
		*dash = '-';
		return;
	} else {
		clock_from = (int)number(text);
	}
	clock_to = clock_from;
}

static void make_calls(long n)
{
	struct spec s = spec;

	for (long i = 0; i < n; i++) {
		for (s.clock = clock_from;; s.clock++) {
			spec_call(&s);
			if (pause_us)
				usleep(pause_us);
			if (s.clock == clock_to)
				break;
		}
	}
}

static void *thread(void *arg)
{
	long i = (long)arg;

	pthread_barrier_wait(&start);
	make_calls(staggered ? count * (i + 1) / nr_threads : count);
	return NULL;
}

static void run_threads(void)
{
	pthread_t *threads = calloc((size_t)nr_threads, sizeof(*threads));
	pthread_attr_t attr;

	if (!threads || pthread_attr_init(&attr) || pthread_attr_setstacksize(&attr, STACK_SIZE) ||
	    pthread_barrier_init(&start, NULL, (unsigned int)nr_threads))
		errx(2, "threads");
	for (long i = 0; i < nr_threads; i++) {
		int ret = pthread_create(&threads[i], &attr, thread, (void *)i);

		if (ret)
			errx(2, "pthread_create: %s", strerror(ret));
	}
	if (staggered)
		pthread_exit(NULL); /* the process lives until its last thread ends */
	for (long i = 0; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

static void work(void)
{
	if (nr_threads)
		run_threads();
	else
		make_calls(count);
}

static int wait_for_one(void)
{
	int status;

	if (wait(&status) < 0)
		err(2, "wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run_processes(long processes, long jobs)
{
	int result = 0;
	long running = 0;

	for (long i = 0; i < processes; i++) {
		pid_t pid;

		if (running == jobs) {
			result |= wait_for_one();
			running--;
		}
		pid = fork();
		if (pid < 0)
			err(2, "fork");
		if (pid == 0) {
			work();
			_exit(0);
		}
		running++;
	}
	while (running-- > 0)
		result |= wait_for_one();
	return result;
}

/* Works in a grandchild in a session of its own, whose parent is gone. */
static void run_daemon(void)
{
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe(ends))
		err(2, "pipe");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (pid == 0) {
		if (setsid() < 0)
			err(2, "setsid");
		pid = fork();
		if (pid < 0)
			err(2, "fork");
		if (pid > 0)
			_exit(0);
		work();
		_exit(0);
	}
	close(ends[1]);
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	if (read(ends[0], &byte, 1) != 0) /* the daemon's exit closes it */
		err(2, "read");
}

static void *exec_again(void *argv)
{
	char **args = argv;

	execvp(args[0], args);
	err(2, "exec");
}

static void wait_for_signal(void)
{
	sigset_t set;
	int got;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		err(2, "sigprocmask");
	printf("%d\n", getpid());
	fflush(stdout);
	if (sigwait(&set, &got))
		errx(2, "sigwait");
}

int main(int argc, char **argv)
{
	long processes = 0, jobs = 1, execs = 0;
	int execs_at = 0;
	bool by_thread = false, daemon = false, bad_pointer = false, waits = false;
	char left[32];
	int opt;

	while ((opt = getopt(argc, argv, "+t:lf:j:x:Xdbu:pn:")) != -1) {
		switch (opt) {
		case 't':
			nr_threads = number(optarg);
			break;
		case 'l':
			staggered = true;
			break;
		case 'f':
			processes = number(optarg);
			break;
		case 'j':
			jobs = number(optarg);
			break;
		case 'x':
			execs = number(optarg);
			execs_at = optind - 1;
			break;
		case 'X':
			by_thread = true;
			break;
		case 'd':
			daemon = true;
			break;
		case 'b':
			bad_pointer = true;
			break;
		case 'u':
			pause_us = (useconds_t)number(optarg);
			break;
		case 'p':
			waits = true;
			break;
		case 'n':
			prctl(PR_SET_NAME, optarg);
			break;
		default:
			return 2;
		}
	}
	if (argc - optind != 4)
		errx(2, "COUNT KIND CLOCKS WAY");
	count = number(argv[optind]);
	parse_clocks(argv[optind + 2]);
	spec = spec_parse(argv[optind + 1], argv[optind + 3], bad_pointer);

	if (waits)
		wait_for_signal();
	if (daemon) {
		run_daemon();
		return 0;
	}
	if (processes)
		return run_processes(processes, jobs);
	work();
	if (execs > 0) {
		pthread_t other;

		snprintf(left, sizeof(left), "%ld", execs - 1);
		argv[execs_at] = left;
		if (!by_thread)
			exec_again(argv);
		if (pthread_create(&other, NULL, exec_again, argv))
			errx(2, "pthread_create");
		pthread_join(other, NULL); /* never: exec ends this thread */
	}
	return 0;
}
