// SPDX-License-Identifier: GPL-2.0-only
#include "scribe.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534
#define PATIENCE_MS 2000 /* a file is created in far less, or not at all */

/* A request is a file's name, or "/": remove the last one.  An answer is
 * 0 or an errno, with the descriptor of a file that was created. */

/* Sends an answer, with fd unless it is -1. */
static bool answer(int socket, int error, int fd)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec data = {&error, sizeof(error)};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};

	if (fd >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(error);
}

static int create(const char *name)
{
	int fd;

	if (strchr(name, '/'))
		return -EINVAL;
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0666);
	return fd < 0 ? -errno : fd;
}

/* The process's work, until the program is gone. */
static void serve(int socket)
{
	char last[NAME_MAX + 1] = "";
	char name[NAME_MAX + 1];
	ssize_t len;

	while ((len = recv(socket, name, sizeof(name) - 1, 0)) >= 0) {
		int error = 0, fd = -1;
		bool sent;

		if (len == 0)
			return; /* closed */
		name[len] = '\0';
		if (name[0] == '/') {
			if (last[0] && unlink(last) != 0)
				error = errno;
		} else {
			fd = create(name);
			error = fd < 0 ? -fd : 0;
			memcpy(last, error ? "" : name, error ? 1 : (size_t)len + 1);
		}
		sent = answer(socket, error, fd);
		if (fd >= 0)
			close(fd);
		if (!sent)
			return;
	}
}

/* Becomes the directory's owner, for good and with nothing else: root's group
 * would be something. */
static bool become(const struct stat *dir)
{
	const gid_t gid = dir->st_gid ? dir->st_gid : NOBODY;

	return setgroups(0, NULL) == 0 && setresgid(gid, gid, gid) == 0 &&
	       setresuid(dir->st_uid, dir->st_uid, dir->st_uid) == 0 &&
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_DUMPABLE, 0) == 0;
}

static _Noreturn void run(int socket, const struct stat *dir, pid_t program)
{
	/* Away from the terminal's signals; it ends with the program. */
	setsid();
	prctl(PR_SET_NAME, "clocktop-scribe");
	if (become(dir) && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == program &&
	    dup2(socket, 0) == 0 && close_range(1, UINT_MAX, 0) == 0)
		serve(0);
	_exit(0);
}

void scribe_start(struct scribe *s)
{
	const pid_t program = getpid();
	struct stat dir;
	int pair[2];

	s->socket = -1;
	if (geteuid() != 0 || stat(".", &dir) != 0 || dir.st_uid == 0)
		return;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	s->pid = fork();
	if (s->pid == 0)
		run(pair[1], &dir, program);
	close(pair[1]);
	if (s->pid < 0)
		close(pair[0]);
	else
		s->socket = pair[0];
}

/* Sends a request and takes the answer.  Returns a descriptor, 0, or -errno. */
static int ask(struct scribe *s, const char *request)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	int error = EIO, fd = 0;
	struct iovec data = {&error, sizeof(error)};
	struct msghdr message = {
	    .msg_iov = &data,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control),
	};
	struct pollfd ready = {.fd = s->socket, .events = POLLIN};

	if (s->socket < 0)
		return -ENOENT;
	if (send(s->socket, request, strlen(request), MSG_NOSIGNAL) < 0)
		return -errno;
	if (poll(&ready, 1, PATIENCE_MS) <= 0)
		return -ETIMEDOUT;
	if (recvmsg(s->socket, &message, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof(error))
		return -EIO;
	if (message.msg_controllen >= CMSG_LEN(sizeof(int)) &&
	    control.header.cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return error ? -error : fd;
}

int scribe_create(struct scribe *s, const char *name)
{
	return ask(s, name);
}

void scribe_remove(struct scribe *s)
{
	ask(s, "/");
}

void scribe_stop(struct scribe *s)
{
	if (s->socket < 0)
		return;
	close(s->socket);
	s->socket = -1;
	while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
