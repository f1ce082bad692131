// SPDX-License-Identifier: GPL-2.0-only
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define TICK_US 500000

static int fd = -1;
static bool changed; /* what follows is the state to go back to */
static sigset_t caught;
static sigset_t old_mask;

/* Signals whose dispositions are changed. */
static struct {
	int signal;
	struct sigaction old;
} dispositions[] = {
    {.signal = SIGPIPE}, {.signal = SIGXFSZ}, {.signal = SIGCHLD}, {.signal = SIGINT},
    {.signal = SIGTERM}, {.signal = SIGHUP},  {.signal = SIGQUIT}, {.signal = SIGALRM},
};

#define NR_DISPOSITIONS (sizeof(dispositions) / sizeof(dispositions[0]))

/* What the handlers share with signals_writing() and signals_written(), which
 * run while the handlers' signals are blocked. */
static volatile sig_atomic_t asked[NSIG]; /* came to a handler */
static volatile sig_atomic_t any_asked;
static volatile sig_atomic_t ticks;
static volatile sig_atomic_t to = -1;	   /* the descriptor that is written to */
static volatile sig_atomic_t stashed = -1; /* it, while it goes nowhere */
static bool writes_picture;
static bool hurries;

static bool asks_for_end(int signal)
{
	return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

/* setitimer(2) is a plain system call, safe in a handler. */
static void tick_every(suseconds_t us)
{
	const struct itimerval timer = {.it_interval.tv_usec = us, .it_value.tv_usec = us};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void on_end(int signal)
{
	int saved = errno;

	asked[signal] = 1;
	any_asked = 1;
	tick_every(TICK_US);
	errno = saved;
}

/* TCOON undoes TCOOFF only; after it, it undoes Ctrl-S as well
 * (drivers/tty/tty_io.c: __start_tty). */
static void start(int terminal)
{
	if (tcflow(terminal, TCOOFF) == 0)
		tcflow(terminal, TCOON);
}

/* A write that waits is restarted after this, with whatever `to` is then. */
static void on_tick(int signal)
{
	int saved = errno, nowhere;

	(void)signal;
	if (to < 0 || stashed >= 0)
		return;
	if (ticks++ == 0) {
		start(to);
		if (writes_picture)
			tcflush(to, TCOFLUSH);
	} else {
		nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
		stashed = fcntl(to, F_DUPFD_CLOEXEC, 0);
		if (nowhere >= 0 && stashed >= 0)
			dup3(nowhere, to, O_CLOEXEC);
		close(nowhere);
	}
	errno = saved;
}

static int set_disposition(int signal)
{
	struct sigaction action = {.sa_handler = SIG_IGN};

	/* TTOU among them: a terminal may be let go on from the background. */
	sigfillset(&action.sa_mask);
	action.sa_flags = SA_RESTART;
	if (asks_for_end(signal))
		action.sa_handler = on_end;
	else if (signal == SIGALRM)
		action.sa_handler = on_tick;
	else if (signal == SIGCHLD) /* ignored, it would reap COMMAND and lose its status */
		action.sa_handler = SIG_DFL;
	return sigaction(signal, &action, NULL) < 0 ? -errno : 0;
}

int signals_open(void)
{
	struct sigaction hup;
	int err = 0;

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
	if (sigprocmask(SIG_BLOCK, &caught, &old_mask) < 0)
		err = -errno;
	for (size_t i = 0; !err && i < NR_DISPOSITIONS; i++) {
		int signal = dispositions[i].signal;

		if (sigaction(signal, NULL, &dispositions[i].old) < 0)
			err = -errno;
		else if (!asks_for_end(signal) || sigismember(&caught, signal) == 1)
			err = set_disposition(signal);
	}
	if (err) {
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
	return asks_for_end(signal) ? set_disposition(signal) : 0;
}

void signals_restore(void)
{
	if (!changed)
		return;
	for (size_t i = 0; i < NR_DISPOSITIONS; i++)
		sigaction(dispositions[i].signal, &dispositions[i].old, NULL);
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

/* A signal that came to a handler, or 0. */
static int next_asked(void)
{
	for (int signal = 1; any_asked && signal < NSIG; signal++) {
		if (asked[signal]) {
			asked[signal] = 0;
			return signal;
		}
	}
	any_asked = 0;
	return 0;
}

int signals_next(void)
{
	struct signalfd_siginfo info;
	int signal = next_asked();
	ssize_t n;

	if (signal || fd < 0)
		return signal;
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
		int signal = next_asked();
		int n = signal ? 0 : ppoll(fds, 2, &timeout, NULL);

		if (signal)
			return signal;

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

bool signals_end_asked(void)
{
	sigset_t pending;

	if (any_asked || hurries)
		return true;
	if (sigpending(&pending) < 0)
		return false;
	for (int signal = 1; signal < NSIG; signal++)
		if (asks_for_end(signal) && sigismember(&pending, signal) == 1)
			return true;
	return false;
}

void signals_hurry(void)
{
	hurries = true;
}

/* Lets the handlers be reached, or no longer. */
static void let_handle(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	for (int signal = 1; signal < NSIG; signal++)
		if (asks_for_end(signal) && sigismember(&caught, signal) == 1)
			sigaddset(&set, signal);
	sigprocmask(how, &set, NULL);
}

/* One that came last must not be the first of the next write. */
static void stop_ticks(void)
{
	const struct timespec now = {0};
	sigset_t tick;

	tick_every(0);
	sigemptyset(&tick);
	sigaddset(&tick, SIGALRM);
	sigtimedwait(&tick, NULL, &now);
}

void signals_writing(int to_fd, bool picture)
{
	if (!changed)
		return;
	to = to_fd;
	writes_picture = picture;
	ticks = 0;
	if (hurries || any_asked)
		tick_every(TICK_US);
	let_handle(SIG_UNBLOCK);
}

bool signals_written(void)
{
	bool nowhere;

	if (!changed)
		return false;
	let_handle(SIG_BLOCK);
	if (hurries || any_asked)
		stop_ticks();
	nowhere = stashed >= 0;
	if (nowhere) {
		dup2(stashed, to);
		close(stashed);
	}
	to = stashed = -1;
	return nowhere;
}

const char *signals_error(int error)
{
	return error == EINTR ? "its reader did not read" : strerror(error);
}

void signals_start_terminal(int terminal)
{
	sigset_t stop, old;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTTOU);
	sigprocmask(SIG_BLOCK, &stop, &old);
	start(terminal);
	sigprocmask(SIG_SETMASK, &old, NULL);
}
