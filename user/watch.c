// SPDX-License-Identifier: GPL-2.0-only
#include "watch.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc has no wrapper before 2.36. */
static int pidfd_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static int add(struct watch *w, uint32_t pid)
{
	struct epoll_event event = {.events = EPOLLIN};
	int fd = pidfd_open((pid_t)pid);
	int err;

	if (fd < 0)
		return errno == ESRCH ? 0 : -errno;
	event.data.fd = fd;
	if (epoll_ctl(w->fd, EPOLL_CTL_ADD, fd, &event) < 0) {
		err = -errno;
		close(fd);
		return err;
	}
	w->left++;
	return 0;
}

int watch_open(struct watch *w, const uint32_t *pids, size_t nr)
{
	*w = (struct watch){.fd = epoll_create1(EPOLL_CLOEXEC)};
	if (w->fd < 0)
		return -errno;
	for (size_t i = 0; i < nr; i++) {
		int err = add(w, pids[i]);

		if (err)
			return err;
	}
	return 0;
}

bool watch_all_ended(struct watch *w)
{
	struct epoll_event event;

	/* Closing a pidfd takes it off the list. */
	while (w->left && epoll_wait(w->fd, &event, 1, 0) == 1) {
		close(event.data.fd);
		w->left--;
	}
	return w->left == 0;
}

void watch_close(struct watch *w)
{
	/* The pidfds that are left are closed when the program ends. */
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}
