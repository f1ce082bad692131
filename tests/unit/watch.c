// SPDX-License-Identifier: GPL-2.0-only
/* The end of the last of some processes is seen, and not that of the first. */
#include "watch.h"

#include <poll.h>
#include <signal.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static pid_t start(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		for (;;)
			pause();
	return pid;
}

static void stop(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static int ready(const struct watch *w, int ms)
{
	struct pollfd fd = {.fd = w->fd, .events = POLLIN};

	return poll(&fd, 1, ms);
}

static void test_last(void **state)
{
	uint32_t pids[3];
	struct watch w;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		pids[i] = (uint32_t)start();
	stop((pid_t)pids[0]); /* gone before it is watched */
	assert_int_equal(watch_open(&w, pids, 3), 0);
	assert_int_equal(ready(&w, 0), 0);
	assert_false(watch_all_ended(&w));
	stop((pid_t)pids[1]);
	assert_int_equal(ready(&w, -1), 1);
	assert_false(watch_all_ended(&w));
	assert_int_equal(ready(&w, 0), 0);
	stop((pid_t)pids[2]);
	assert_int_equal(ready(&w, -1), 1);
	assert_true(watch_all_ended(&w));
	watch_close(&w);
	assert_int_equal(w.fd, -1);
}

static void test_all_gone(void **state)
{
	uint32_t pid = (uint32_t)start();
	struct watch w;

	(void)state;
	stop((pid_t)pid);
	assert_int_equal(watch_open(&w, &pid, 1), 0);
	assert_true(watch_all_ended(&w));
	watch_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_last),
	    cmocka_unit_test(test_all_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
