// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every way of losing calls is forced in turn, and what was counted and what
 * was said to be missing are together what was made.
 *
 * Missing calls have no name.  So a second collector, which loses nothing, is
 * attached around the first one and counts what other processes did meanwhile:
 * where they did nothing the sum must be exact, and otherwise it may be off by
 * no more than that.
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector.h"
#include "interval.h"

#define NAME "clocktop-loss"

struct counter {
	struct collector *collector;
	struct differ *differ;
	struct sample sample;
	struct interval interval;
	uint64_t mine, others, missed; /* calls */
};

/* What a test does.  Runs in a child with the name above. */
struct work {
	void (*run)(const struct work *w);
	unsigned int tasks;
	unsigned int clocks; /* each task reads so many clocks … */
	unsigned int times;  /* … so many times */
};

static uint64_t made(const struct work *w)
{
	return (uint64_t)w->tasks * w->clocks * w->times;
}

static void counter_open(struct counter *c, const struct collector_config *config)
{
	char err[512];

	memset(c, 0, sizeof(*c));
	sample_init(&c->sample);
	interval_init(&c->interval);
	c->differ = differ_new(false, NULL);
	assert_non_null(c->differ);
	if (collector_open(&c->collector, config, err, sizeof(err)))
		fail_msg("%s", err);
	assert_int_equal(collector_read(c->collector, &c->sample), 0);
	assert_int_equal(differ_step(c->differ, &c->sample, (uint32_t)getpid(), &c->interval), 0);
}

static void counter_step(struct counter *c)
{
	assert_int_equal(collector_read(c->collector, &c->sample), 0);
	assert_int_equal(differ_step(c->differ, &c->sample, (uint32_t)getpid(), &c->interval), 0);
	c->missed += c->interval.missed;
	for (size_t i = 0; i < c->interval.nr; i++) {
		const struct record *r = &c->interval.records[i];

		*(strcmp(r->comm, NAME) == 0 ? &c->mine : &c->others) += r->calls.count;
	}
}

static void counter_close(struct counter *c)
{
	collector_close(c->collector);
	differ_free(c->differ);
	sample_free(&c->sample);
	interval_free(&c->interval);
}

static void make_calls(const struct work *w)
{
	struct timespec ts;

	/* Ids that no kernel has, from 1000 on, so that each is a key. */
	for (unsigned int i = 0; i < w->times; i++)
		for (unsigned int clock = 0; clock < w->clocks; clock++)
			syscall(SYS_clock_gettime, clock ? 1000 + (int)clock : 2, &ts);
}

/* One process after the other. */
static void run_processes(const struct work *w)
{
	for (unsigned int i = 0; i < w->tasks; i++) {
		pid_t pid = fork();

		if (pid < 0)
			_exit(2);
		if (pid == 0) {
			make_calls(w);
			_exit(0);
		}
		if (waitpid(pid, NULL, 0) != pid)
			_exit(2);
	}
}

static pthread_barrier_t all_called;

static void *thread(void *w)
{
	make_calls(w);
	pthread_barrier_wait(&all_called);
	return NULL;
}

/* All threads live until the last of them has called. */
static void run_threads(const struct work *w)
{
	pthread_t *threads = calloc(w->tasks, sizeof(*threads));
	pthread_attr_t attr;

	if (!threads || pthread_attr_init(&attr) ||
	    pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN) ||
	    pthread_barrier_init(&all_called, NULL, w->tasks))
		_exit(2);
	for (unsigned int i = 0; i < w->tasks; i++)
		if (pthread_create(&threads[i], &attr, thread, (void *)w))
			_exit(2);
	for (unsigned int i = 0; i < w->tasks; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

/* Makes half of its calls, says so, and waits for a byte. */
static void run_held(const struct work *w)
{
	struct work half = *w;
	char byte;

	half.times /= 2;
	make_calls(&half);
	if (write(STDOUT_FILENO, "", 1) != 1 || read(STDIN_FILENO, &byte, 1) != 1)
		_exit(2);
	make_calls(&half);
}

static pid_t start(const struct work *w, int in, int out)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	if ((in >= 0 && dup2(in, STDIN_FILENO) < 0) || (out >= 0 && dup2(out, STDOUT_FILENO) < 0))
		_exit(2);
	prctl(PR_SET_NAME, NAME);
	w->run(w);
	_exit(0);
}

static void wait_for(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Both counters saw the end: the sums. */
static void check_sums(const struct counter *small, const struct counter *all, uint64_t calls)
{
	printf("made %llu, counted %llu, missed %llu (others made %llu)\n",
	       (unsigned long long)calls, (unsigned long long)small->mine,
	       (unsigned long long)small->missed, (unsigned long long)all->others);
	assert_int_equal(all->mine, calls);
	assert_int_equal(all->missed, 0);
	assert_true(small->mine < calls); /* some were really lost */
	assert_true(small->mine + small->missed >= calls);
	assert_true(small->mine + small->missed <= calls + all->others);
}

static void expect(const struct work *w, const struct collector_config *config)
{
	struct counter small, all;

	counter_open(&all, &(struct collector_config){0});
	counter_open(&small, config);
	wait_for(start(w, -1, -1));
	counter_step(&small);
	counter_step(&all);
	/* A second look: nothing is counted late or twice. */
	counter_step(&small);
	counter_step(&all);
	check_sums(&small, &all, made(w));
	counter_close(&small);
	counter_close(&all);
}

static void more_exits_than_room(void **state)
{
	const struct work w = {run_processes, 1000, 1, 7};

	(void)state;
	expect(&w, &(struct collector_config){.max_dead = 64});
}

static void more_threads_than_room(void **state)
{
	const struct work w = {run_threads, 2000, 1, 7};

	(void)state;
	expect(&w, &(struct collector_config){.max_dead = 64});
}

static void more_kinds_than_room(void **state)
{
	const struct work w = {run_processes, 1, 500, 9};

	(void)state;
	expect(&w, &(struct collector_config){.max_overflow = 16});
}

static void more_kinds_and_more_exits_than_room(void **state)
{
	const struct work w = {run_processes, 400, 20, 3};

	(void)state;
	expect(&w, &(struct collector_config){.max_dead = 64, .max_overflow = 1024});
}

/* A task that was counted while it lived, and whose end is lost. */
static void known_tasks_whose_end_is_lost(void **state)
{
	const struct work filler = {run_processes, 300, 1, 1};
	const struct work w = {run_held, 1, 12, 40000}; /* more than others make */
	struct counter small, all;
	int to[2], from[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	counter_open(&all, &(struct collector_config){0});
	counter_open(&small, &(struct collector_config){.max_dead = 16});
	pid = start(&w, to[0], from[1]);
	assert_int_equal(read(from[0], &byte, 1), 1);
	counter_step(&small);
	assert_true(small.mine == made(&w) / 2);
	wait_for(start(&filler, -1, -1)); /* `dead` is full */
	assert_int_equal(write(to[1], "", 1), 1);
	wait_for(pid);
	counter_step(&small);
	counter_step(&small);
	counter_step(&all);
	check_sums(&small, &all, made(&w) + made(&filler));
	counter_close(&small);
	counter_close(&all);
	close(to[0]);
	close(to[1]);
	close(from[0]);
	close(from[1]);
}

/* What is drained in between is not lost. */
static void draining_makes_room(void **state)
{
	const struct work w = {run_processes, 100, 10, 2};
	struct counter c;

	(void)state;
	counter_open(&c, &(struct collector_config){.max_dead = 4000});
	for (int i = 0; i < 60; i++) {
		wait_for(start(&w, -1, -1));
		assert_int_equal(collector_drain(c.collector), 0);
	}
	counter_step(&c);
	assert_int_equal(c.mine, 60 * made(&w));
	counter_close(&c);
}

/* A memory cgroup: the one that was made, and the one we come from. */
struct group {
	char path[256], home[256];
	const char *usage, *limit;
};

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		fail_msg("cannot write %s to %s", text, path);
	close(fd);
}

static void enter(const char *dir)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", getpid());
	write_file(dir, "cgroup.procs", text);
}

static void group_make(struct group *g)
{
	bool v1 = access("/sys/fs/cgroup/memory/memory.limit_in_bytes", F_OK) == 0;
	const char *root = v1 ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
	char line[256];
	FILE *f;

	g->usage = v1 ? "memory.usage_in_bytes" : "memory.current";
	g->limit = v1 ? "memory.limit_in_bytes" : "memory.max";
	f = fopen("/proc/self/cgroup", "re");
	assert_non_null(f);
	g->home[0] = '\0';
	while (fgets(line, sizeof(line), f)) {
		char *path = strchr(line + 3, '/');

		line[strcspn(line, "\n")] = '\0';
		if (path && (v1 ? strstr(line, ":memory:") != NULL : strncmp(line, "0::", 3) == 0))
			snprintf(g->home, sizeof(g->home), "%s%s", root, path);
	}
	fclose(f);
	assert_true(g->home[0]);
	if (!v1)
		write_file(root, "cgroup.subtree_control", "+memory");
	snprintf(g->path, sizeof(g->path), "%s/clocktop-loss-%d", root, getpid());
	assert_int_equal(mkdir(g->path, 0755), 0);
}

/* No more memory for what belongs to the group, in which there is nobody: no
 * process is killed for it. */
static void group_close_tap(const struct group *g)
{
	char path[512], text[32];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", g->path, g->usage);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	n = read(fd, text, sizeof(text) - 1);
	assert_true(n > 0);
	text[n] = '\0';
	close(fd);
	write_file(g->path, g->limit, text);
}

static void refused_memory(const struct work *w)
{
	struct counter small, all;
	struct group g;

	group_make(&g);
	counter_open(&all, &(struct collector_config){0});
	enter(g.path);
	counter_open(&small, &(struct collector_config){0});
	enter(g.home);
	group_close_tap(&g);
	wait_for(start(w, -1, -1));
	counter_step(&small);
	counter_step(&all);
	counter_step(&small);
	counter_step(&all);
	check_sums(&small, &all, made(w));
	counter_close(&small);
	counter_close(&all);
	rmdir(g.path); /* the kernel may hold it a little longer */
}

static void memory_for_tasks_refused(void **state)
{
	(void)state;
	refused_memory(&(struct work){run_threads, 3000, 1, 5});
}

static void memory_for_exits_refused(void **state)
{
	(void)state;
	refused_memory(&(struct work){run_processes, 3000, 1, 5});
}

static void memory_for_kinds_refused(void **state)
{
	(void)state;
	refused_memory(&(struct work){run_processes, 1, 20000, 3});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(more_exits_than_room),
	    cmocka_unit_test(more_threads_than_room),
	    cmocka_unit_test(more_kinds_than_room),
	    cmocka_unit_test(more_kinds_and_more_exits_than_room),
	    cmocka_unit_test(known_tasks_whose_end_is_lost),
	    cmocka_unit_test(draining_makes_room),
	    cmocka_unit_test(memory_for_tasks_refused),
	    cmocka_unit_test(memory_for_exits_refused),
	    cmocka_unit_test(memory_for_kinds_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
