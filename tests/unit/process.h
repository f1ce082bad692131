/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of what a process does once in its life: runs each in a child. */
#ifndef CLOCKTOP_TESTS_PROCESS_H
#define CLOCKTOP_TESTS_PROCESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* In such a child: says what did not hold, and ends it. */
#define CHECK(holds)                                                                               \
	do                                                                                         \
		if (!(holds)) {                                                                    \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds);                \
			_exit(1);                                                                  \
		}                                                                                  \
	while (0)

/* Runs test() in a child: it passes when that returns. */
static void run_in_child(void (*test)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		test();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status))
		fail_msg("killed by signal %d", WTERMSIG(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* The cmocka test test_NAME that runs NAME() in a child. */
#define TEST_IN_CHILD(name)                                                                        \
	static void test_##name(void **state)                                                      \
	{                                                                                          \
		(void)state;                                                                       \
		run_in_child(name);                                                                \
	}

#endif
