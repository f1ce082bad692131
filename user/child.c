// SPDX-License-Identifier: GPL-2.0-only
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "signals.h"

static pid_t child;   /* 0: none, or already waited for */
static int hold = -1; /* a byte written here lets it go; closed, it ends */
static int told = -1; /* its errno comes from here, or the end of file */

/* A read of exactly size bytes; less only at the end of file or on error. */
static ssize_t read_all(int fd, void *buf, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, (char *)buf + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* The child's part: waits, then becomes argv.  A program that was killed
 * meanwhile has closed the pipe: then nothing is run. */
static _Noreturn void run(char **argv, int go, int tell)
{
	char byte;
	int err;
	ssize_t n;

	if (read_all(go, &byte, 1) != 1)
		_exit(127);
	signals_restore();
	execvp(argv[0], argv);
	err = errno;
	do
		n = write(tell, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	_exit(child_cannot_status(err));
}

pid_t child_start(char **argv)
{
	int go[2], tell[2], err;

	if (pipe2(go, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(tell, O_CLOEXEC) < 0) {
		err = errno;
		goto close_go;
	}
	child = fork();
	if (child < 0) {
		err = errno;
		child = 0;
		goto close_tell;
	}
	if (child == 0) {
		close(go[1]);
		close(tell[0]);
		run(argv, go[0], tell[1]);
	}
	close(go[0]);
	close(tell[1]);
	hold = go[1];
	told = tell[0];
	return child;

close_tell:
	close(tell[0]);
	close(tell[1]);
close_go:
	close(go[0]);
	close(go[1]);
	return -err;
}

int child_go(void)
{
	int err = 0;
	ssize_t n;

	do
		n = write(hold, "", 1);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		err = errno; /* EPIPE: killed while it was held */
	else if (read_all(told, &err, sizeof(err)) != sizeof(err))
		err = 0;
	close(hold);
	close(told);
	hold = told = -1;
	if (err)
		child_wait();
	return err;
}

int child_cannot_status(int err)
{
	return err == ENOENT ? 127 : 126;
}

static int status_of(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool child_ended(int *status)
{
	int raw;
	pid_t pid;

	if (!child)
		return false;
	pid = waitpid(child, &raw, WNOHANG);
	if (pid != child)
		return false;
	child = 0;
	*status = status_of(raw);
	return true;
}

int child_wait(void)
{
	int raw = 0;
	pid_t pid;

	if (!child)
		return 0;
	do
		pid = waitpid(child, &raw, 0);
	while (pid < 0 && errno == EINTR);
	child = 0;
	return pid < 0 ? 126 : status_of(raw);
}

int child_signal(int signal)
{
	if (!child)
		return -ESRCH;
	return kill(child, signal) < 0 ? -errno : 0;
}

void child_abort(void)
{
	if (hold < 0)
		return;
	close(hold);
	close(told);
	hold = told = -1;
	child_wait();
}
