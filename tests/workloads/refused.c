// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clock calls that a seccomp filter refuses.
 *
 *   refused COUNT KIND CLOCK WAY ACTION [MICROS]
 *
 * KIND and WAY are words of ways.h (not int80); MICROS is slept after each call.
 * ACTION is what the filter
 * does with that call:
 *
 *   errno      the answer is -EPERM
 *   trap       SIGSYS, which is handled
 *   thread     kills the thread: a second thread makes the first call and dies
 *   strict     seccomp's strict mode does the same
 *   process    kills the process: a child makes the first call and dies
 *   trace      there is no tracer: the answer is -ENOSYS
 *   notify     a supervisor answers 7
 *   log        nothing but a line in the log: the call is made
 *   other      refuses another call (getppid), and that only
 */
#include <err.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "ways.h"

static long count;
static long micros;
static struct spec spec;

static void on_sigsys(int signal)
{
	(void)signal;
}

/* Installs the filter for this thread.  Returns the listener, if there is one. */
static int refuse(long number, unsigned int action)
{
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)number, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, action),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = sizeof(code) / sizeof(code[0]), .filter = code};
	unsigned int flags =
	    action == SECCOMP_RET_USER_NOTIF ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
	long ret;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		err(2, "no_new_privs");
	ret = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
	if (ret < 0)
		err(2, "seccomp");
	return (int)ret;
}

static void make_calls(void)
{
	for (long i = 0; i < count; i++) {
		spec_call(&spec);
		if (micros)
			usleep((useconds_t)micros);
	}
}

static void *thread(void *strict)
{
	if (!strict)
		refuse(native_number(spec.kind), SECCOMP_RET_KILL_THREAD);
	else if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		err(2, "strict mode");
	make_calls();
	errx(2, "the thread still lives");
}

/* Answers each call of the other threads with 7. */
static void *supervisor(void *arg)
{
	int listener = *(int *)arg;

	for (long i = 0; i < count; i++) {
		struct seccomp_notif request = {0};
		struct seccomp_notif_resp answer = {.val = 7};

		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request))
			err(2, "notification");
		answer.id = request.id;
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer))
			err(2, "answer");
	}
	return NULL;
}

static void run_thread(void *(*function)(void *), void *arg, bool and_calls)
{
	pthread_t t;
	int ret = pthread_create(&t, NULL, function, arg);

	if (ret)
		errx(2, "pthread_create: %s", strerror(ret));
	if (and_calls)
		make_calls();
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	long number;
	const char *action;

	if (argc != 6 && argc != 7)
		errx(2, "COUNT KIND CLOCK WAY ACTION [MICROS]");
	count = strtol(argv[1], NULL, 10);
	micros = argc == 7 ? strtol(argv[6], NULL, 10) : 0;
	spec = spec_parse(argv[2], argv[4], false);
	spec.clock = (int)strtol(argv[3], NULL, 10);
	number = native_number(spec.kind);
	action = argv[5];

	if (strcmp(action, "errno") == 0) {
		refuse(number, SECCOMP_RET_ERRNO | EPERM);
		make_calls();
	} else if (strcmp(action, "trap") == 0) {
		signal(SIGSYS, on_sigsys);
		refuse(number, SECCOMP_RET_TRAP);
		make_calls();
	} else if (strcmp(action, "thread") == 0) {
		run_thread(thread, NULL, false);
	} else if (strcmp(action, "strict") == 0) {
		run_thread(thread, &spec, false);
	} else if (strcmp(action, "process") == 0) {
		pid_t pid = fork();
		int status;

		if (pid < 0)
			err(2, "fork");
		if (pid == 0) {
			refuse(number, SECCOMP_RET_KILL_PROCESS);
			make_calls();
			_exit(2);
		}
		if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status))
			errx(2, "the process still lives");
	} else if (strcmp(action, "trace") == 0) {
		refuse(number, SECCOMP_RET_TRACE);
		make_calls();
	} else if (strcmp(action, "notify") == 0) {
		int listener = refuse(number, SECCOMP_RET_USER_NOTIF);

		run_thread(supervisor, &listener, true);
	} else if (strcmp(action, "log") == 0) {
		refuse(number, SECCOMP_RET_LOG);
		make_calls();
	} else if (strcmp(action, "other") == 0) {
		refuse(SYS_getppid, SECCOMP_RET_ERRNO | EPERM);
		make_calls();
	} else {
		errx(2, "no such action: %s", action);
	}
	return 0;
}
