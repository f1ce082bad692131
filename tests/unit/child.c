// SPDX-License-Identifier: GPL-2.0-only
/* COMMAND: held, run, waited for; what it gets and what it does not. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "process.h"
#include "signals.h"

static char *shell(const char *script)
{
	return (char *)script;
}

/* Starts sh -c script, and lets it go. */
static pid_t run(const char *script)
{
	char *argv[] = {"sh", "-c", shell(script), NULL};
	pid_t pid = child_start(argv);

	CHECK(pid > 0);
	CHECK(child_go() == 0);
	return pid;
}

static void statuses(void)
{
	int status;

	run("exit 0");
	CHECK(child_wait() == 0);
	run("exit 42");
	CHECK(child_wait() == 42);
	run("kill -9 $$");
	CHECK(child_wait() == 128 + SIGKILL);

	run("read line"); /* standard input stays open: see main() */
	CHECK(!child_ended(&status));
	CHECK(child_signal(SIGTERM) == 0);
	while (!child_ended(&status))
		poll(NULL, 0, 1);
	CHECK(status == 128 + SIGTERM);
	CHECK(!child_ended(&status));
	CHECK(child_signal(SIGTERM) == -ESRCH);
	CHECK(child_wait() == 0);
}

static void cannot_run(void)
{
	char *nowhere[] = {"/nonexistent/program", NULL};
	char *not_in_path[] = {"no-such-program-anywhere", NULL};
	char *folder[] = {"/", NULL};
	char *empty[] = {"", NULL};
	int status;

	CHECK(child_start(nowhere) > 0);
	CHECK(child_go() == ENOENT);
	CHECK(child_start(not_in_path) > 0);
	CHECK(child_go() == ENOENT);
	CHECK(child_start(empty) > 0);
	CHECK(child_go() == ENOENT);
	CHECK(child_start(folder) > 0);
	CHECK(child_go() == EACCES);
	CHECK(!child_ended(&status));
	CHECK(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD);
	CHECK(child_cannot_status(ENOENT) == 127);
	CHECK(child_cannot_status(EACCES) == 126);
	CHECK(child_cannot_status(ENOTDIR) == 126);
}

/* A pipe whose reading end says whether anything was written by a child. */
static int tell[2];

static bool wrote(void)
{
	char byte;

	close(tell[1]);
	return read(tell[0], &byte, 1) == 1;
}

static void held(void)
{
	char script[64];
	char *argv[] = {"sh", "-c", script, NULL};
	struct pollfd fd;

	/* Never let go: does not run, and is no zombie. */
	CHECK(pipe(tell) == 0);
	snprintf(script, sizeof(script), "echo x >&%d", tell[1]);
	CHECK(child_start(argv) > 0);
	child_abort();
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	CHECK(!wrote());
	close(tell[0]);

	/* Let go: runs. */
	CHECK(pipe(tell) == 0);
	snprintf(script, sizeof(script), "echo x >&%d", tell[1]);
	CHECK(child_start(argv) > 0);
	fd = (struct pollfd){.fd = tell[0], .events = POLLIN};
	CHECK(poll(&fd, 1, 20) == 0);
	CHECK(child_go() == 0);
	CHECK(child_wait() == 0);
	child_abort(); /* changes nothing any more */
	CHECK(wrote());
}

/* Killed while COMMAND is held: it ends without having run.  Killed later: it
 * goes on. */
static void program_killed(void)
{
	for (int go = 0; go < 2; go++) {
		char script[64];
		char *argv[] = {"sh", "-c", script, NULL};
		int status;
		pid_t program;

		CHECK(pipe(tell) == 0);
		snprintf(script, sizeof(script), "sleep 0.1; echo x >&%d", tell[1]);
		program = fork();
		CHECK(program >= 0);
		if (program == 0) {
			CHECK(signals_open() == 0);
			CHECK(child_start(argv) > 0);
			if (go)
				CHECK(child_go() == 0);
			raise(SIGKILL);
		}
		CHECK(waitpid(program, &status, 0) == program);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		CHECK(wrote() == go);
		close(tell[0]);
	}
}

/* Writes the signal mask, what is ignored, and which of the descriptors
 * 0 … 99 an exec keeps open. */
static void look(char *buf, size_t size)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[256];
	size_t len = 0;

	CHECK(status);
	while (fgets(line, sizeof(line), status))
		if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6))
			len += (size_t)snprintf(buf + len, size - len, "%s", line);
	fclose(status);
	for (int fd = 0; fd < 100; fd++)
		if (fcntl(fd, F_GETFD) == 0)
			len += (size_t)snprintf(buf + len, size - len, "%d ", fd);
}

/* Mask, dispositions and descriptors are what the program itself got. */
static void inheritance(void)
{
	char *argv[] = {"/proc/self/exe", "look", NULL};
	char expected[512], got[512] = "";
	sigset_t usr1;
	int out[2];

	/* What it is to see: USR1 blocked, HUP ignored, 0, 1, 2 and one more. */
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	signal(SIGHUP, SIG_IGN);
	CHECK(dup2(STDERR_FILENO, 9) == 9);
	look(expected, sizeof(expected));

	/* As in the program: signals first, close-on-exec descriptors later. */
	CHECK(pipe2(out, O_CLOEXEC) == 0);
	CHECK(signals_open() == 0);
	CHECK(dup2(out[1], STDOUT_FILENO) == STDOUT_FILENO);
	CHECK(child_start(argv) > 0);
	CHECK(child_go() == 0);
	CHECK(child_wait() == 0);
	CHECK(read(out[0], got, sizeof(got) - 1) > 0);
	if (strcmp(got, expected) != 0)
		fprintf(stderr, "expected %s, got %s\n", expected, got);
	CHECK(strcmp(got, expected) == 0);
}

TEST_IN_CHILD(statuses)
TEST_IN_CHILD(cannot_run)
TEST_IN_CHILD(held)
TEST_IN_CHILD(program_killed)
TEST_IN_CHILD(inheritance)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_statuses),	cmocka_unit_test(test_cannot_run),
	    cmocka_unit_test(test_held),	cmocka_unit_test(test_program_killed),
	    cmocka_unit_test(test_inheritance),
	};
	char seen[512];
	int in[2];

	if (argc > 1 && strcmp(argv[1], "look") == 0) {
		look(seen, sizeof(seen));
		return fputs(seen, stdout) < 0;
	}
	/* A standard input that stays open and silent. */
	if (pipe2(in, O_CLOEXEC) < 0 || dup2(in[0], STDIN_FILENO) < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
