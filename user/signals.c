// SPDX-License-Identifier: GPL-2.0-only
#include "signals.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static int fd = -1;
static bool changed; /* what follows is the state to go back to */
static sigset_t caught;
static sigset_t old_mask;
static struct sigaction old_pipe, old_xfsz, old_chld;

int signals_open(void)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction hup;

	if (changed)
		return 0;
	sigemptyset(&caught);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGTERM);
	/* A blocked signal would reach the signalfd even when ignored. */
	if (sigaction(SIGHUP, NULL, &hup) < 0)
		return -errno;
	if (hup.sa_handler != SIG_IGN)
		sigaddset(&caught, SIGHUP);
	sigaddset(&caught, SIGWINCH);
	sigaddset(&caught, SIGCHLD);
	fd = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return -errno;
	/* An ignored CHLD would reap COMMAND and lose its status. */
	if (sigprocmask(SIG_BLOCK, &caught, &old_mask) < 0 ||
	    sigaction(SIGPIPE, &ignore, &old_pipe) < 0 ||
	    sigaction(SIGXFSZ, &ignore, &old_xfsz) < 0 ||
	    sigaction(SIGCHLD, &standard, &old_chld) < 0) {
		int err = -errno;

		close(fd);
		fd = -1;
		return err;
	}
	changed = true;
	return 0;
}

int signals_also(int signal)
{
	struct sigaction now;

	if (sigaction(signal, NULL, &now) < 0)
		return -errno;
	if (now.sa_handler == SIG_IGN)
		return 0;
	sigaddset(&caught, signal);
	if (sigprocmask(SIG_BLOCK, &caught, NULL) < 0 || signalfd(fd, &caught, 0) < 0)
		return -errno;
	return 0;
}

void signals_restore(void)
{
	if (!changed)
		return;
	sigaction(SIGPIPE, &old_pipe, NULL);
	sigaction(SIGXFSZ, &old_xfsz, NULL);
	sigaction(SIGCHLD, &old_chld, NULL);
	sigprocmask(SIG_SETMASK, &old_mask, NULL);
}

void signals_close(void)
{
	if (fd < 0)
		return;
	close(fd);
	fd = -1;
}

int signals_fd(void)
{
	return fd;
}

int signals_next(void)
{
	struct signalfd_siginfo info;
	ssize_t n;

	if (fd < 0)
		return 0;
	do
		n = read(fd, &info, sizeof(info));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}

static unsigned long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned long long)now.tv_sec * 1000000000ULL + (unsigned long long)now.tv_nsec;
}

int signals_wait(unsigned long long deadline_ns, int other)
{
	for (;;) {
		struct pollfd fds[] = {{.fd = fd, .events = POLLIN},
				       {.fd = other, .events = POLLIN}};
		unsigned long long now = now_ns();
		unsigned long long left = deadline_ns > now ? deadline_ns - now : 0;
		struct timespec timeout = {.tv_sec = (time_t)(left / 1000000000ULL),
					   .tv_nsec = (long)(left % 1000000000ULL)};
		int n = ppoll(fds, 2, &timeout, NULL);
		int signal;

		if (n < 0)
			continue; /* EINTR: the programs' other signals, or a stop */
		signal = signals_next();
		if (signal)
			return signal;
		if (n > 0 && fds[1].revents)
			return -1;
		if (n == 0)
			return 0;
	}
}
