// SPDX-License-Identifier: GPL-2.0-only
/*
 * Uses one pid again and again.
 *
 *   reuse COUNT…
 *
 * For each COUNT a process makes that many raw reads of
 * CLOCK_PROCESS_CPUTIME_ID; all of them, one after another, have the same
 * pid, which is printed.  Needs CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE.
 */
#include <err.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>

#include "ways.h"

/* A fork whose child has this pid; 0: any. */
static pid_t fork_as(pid_t pid)
{
	struct clone_args args = {
	    .exit_signal = SIGCHLD,
	    .set_tid = (uint64_t)(uintptr_t)&pid,
	    .set_tid_size = pid ? 1 : 0,
	};

	if (!pid)
		args.set_tid = 0;
	return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

int main(int argc, char **argv)
{
	struct spec spec = spec_parse("gettime", "raw", false);
	pid_t pid = 0;

	spec.clock = CLOCK_PROCESS_CPUTIME_ID;
	for (int i = 1; i < argc; i++) {
		long count = strtol(argv[i], NULL, 10);
		pid_t child = fork_as(pid);

		if (child < 0)
			err(2, "clone3");
		if (child == 0) {
			while (count-- > 0)
				spec_call(&spec);
			_exit(0);
		}
		if (waitpid(child, NULL, 0) != child)
			err(2, "waitpid");
		pid = child;
	}
	printf("%d\n", pid);
	return 0;
}
