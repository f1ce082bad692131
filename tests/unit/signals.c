// SPDX-License-Identifier: GPL-2.0-only
/* Signals as events; what was ignored stays so; COMMAND gets all put back.
 * They are opened once in a program's life, so each test is a process. */
#include "signals.h"

#include <string.h>

#include "process.h"

#define FOR_EVER UINT64_MAX

static void events(void)
{
	const int all[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCHLD};

	CHECK(signals_fd() == -1 && signals_next() == 0);
	CHECK(signals_open() == 0 && signals_fd() >= 0);
	CHECK(signals_open() == 0 && signals_next() == 0);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		CHECK(kill(getpid(), all[i]) == 0);
		CHECK(signals_wait(FOR_EVER, -1) == all[i]);
		CHECK(signals_next() == 0);
	}
	signals_close();
	CHECK(signals_fd() == -1 && signals_next() == 0);
	/* What comes at the very end kills nothing. */
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		CHECK(kill(getpid(), all[i]) == 0);
	signals_close();
}

static void waiting(void)
{
	int fds[2];

	CHECK(pipe(fds) == 0 && signals_open() == 0);
	/* A deadline that has passed still lets a signal and a descriptor through. */
	CHECK(signals_wait(0, fds[0]) == 0);
	CHECK(write(fds[1], "x", 1) == 1);
	CHECK(signals_wait(0, fds[0]) == -1);
	CHECK(signals_wait(FOR_EVER, fds[0]) == -1);
	CHECK(kill(getpid(), SIGTERM) == 0);
	CHECK(signals_wait(FOR_EVER, fds[0]) == SIGTERM);
	CHECK(signals_wait(FOR_EVER, fds[0]) == -1);
	/* The other end gone is an event too. */
	close(fds[1]);
	CHECK(signals_wait(FOR_EVER, fds[0]) == -1);
}

static void ignored(void)
{
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	CHECK(signals_open() == 0);
	CHECK(kill(getpid(), SIGHUP) == 0 && kill(getpid(), SIGINT) == 0);
	CHECK(signals_wait(FOR_EVER, -1) == SIGINT);
	CHECK(signals_next() == 0);
}

/* The mask and the dispositions of PIPE, XFSZ and CHLD. */
struct look {
	sigset_t mask;
	struct sigaction sigpipe, xfsz, chld;
};

static void look(struct look *l)
{
	memset(l, 0, sizeof(*l));
	CHECK(sigprocmask(SIG_BLOCK, NULL, &l->mask) == 0);
	CHECK(sigaction(SIGPIPE, NULL, &l->sigpipe) == 0);
	CHECK(sigaction(SIGXFSZ, NULL, &l->xfsz) == 0);
	CHECK(sigaction(SIGCHLD, NULL, &l->chld) == 0);
}

static void put_back(void)
{
	struct look before, open, after;
	sigset_t block;
	int fds[2];

	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	CHECK(sigprocmask(SIG_BLOCK, &block, NULL) == 0);
	signal(SIGCHLD, SIG_IGN);
	look(&before);
	CHECK(signals_open() == 0);
	look(&open);
	CHECK(open.chld.sa_handler == SIG_DFL && open.sigpipe.sa_handler == SIG_IGN);
	CHECK(open.xfsz.sa_handler == SIG_IGN);
	CHECK(sigismember(&open.mask, SIGTERM) == 1 && sigismember(&open.mask, SIGUSR1) == 1);

	/* A closed pipe is an error, not the end. */
	CHECK(pipe(fds) == 0);
	close(fds[0]);
	CHECK(write(fds[1], "x", 1) == -1);

	signals_restore();
	look(&after);
	CHECK(memcmp(&before.mask, &after.mask, sizeof(before.mask)) == 0);
	CHECK(after.sigpipe.sa_handler == SIG_DFL && after.chld.sa_handler == SIG_IGN);
	CHECK(after.xfsz.sa_handler == SIG_DFL);
}

/* What COMMAND does: killed by TERM as it should be, and its end is seen
 * although the program was started with CHLD ignored. */
static void command(void)
{
	int status;
	pid_t child;

	signal(SIGCHLD, SIG_IGN);
	CHECK(signals_open() == 0);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		signals_restore();
		raise(SIGTERM);
		_exit(0);
	}
	CHECK(signals_wait(FOR_EVER, -1) == SIGCHLD);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

TEST_IN_CHILD(events)
TEST_IN_CHILD(waiting)
TEST_IN_CHILD(ignored)
TEST_IN_CHILD(put_back)
TEST_IN_CHILD(command)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_events),  cmocka_unit_test(test_waiting),
	    cmocka_unit_test(test_ignored), cmocka_unit_test(test_put_back),
	    cmocka_unit_test(test_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
