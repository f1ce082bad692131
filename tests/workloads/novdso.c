// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command that cannot find its vDSO, as on a kernel booted with
 * vdso=0: of what the kernel tells a program at its start, the vDSO's address
 * is taken out.
 *
 *   novdso COMMAND [ARG…]
 *
 * Exits as COMMAND does.
 */
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long stack_pointer(pid_t pid)
{
	struct user_regs_struct regs;
	struct iovec io = {&regs, sizeof(regs)};

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &io) != 0)
		err(2, "registers");
#ifdef __x86_64__
	return regs.rsp;
#else
	return regs.sp;
#endif
}

static unsigned long peek(pid_t pid, unsigned long address)
{
	errno = 0;
	long word = ptrace(PTRACE_PEEKDATA, pid, address, NULL);
	if (errno)
		err(2, "stack");
	return (unsigned long)word;
}

/* The stack of a new program: argc, argv, NULL, environment, NULL, then pairs. */
static void hide_vdso(pid_t pid)
{
	unsigned long at = stack_pointer(pid);

	at += 8 * (peek(pid, at) + 2);
	while (peek(pid, at) != 0)
		at += 8;
	at += 8;
	for (; peek(pid, at) != AT_NULL; at += 16) {
		if (peek(pid, at) != AT_SYSINFO_EHDR)
			continue;
		if (ptrace(PTRACE_POKEDATA, pid, at, AT_IGNORE) != 0)
			err(2, "stack");
		return;
	}
	errx(2, "the kernel gave it no vDSO");
}

int main(int argc, char **argv)
{
	int status;

	if (argc < 2)
		errx(2, "usage: novdso COMMAND [ARG...]");
	pid_t pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
			err(126, "ptrace");
		execvp(argv[1], argv + 1);
		err(127, "%s", argv[1]);
	}
	if (waitpid(pid, &status, 0) != pid)
		err(2, "wait");
	if (WIFSTOPPED(status)) {
		hide_vdso(pid);
		if (ptrace(PTRACE_DETACH, pid, NULL, NULL) != 0)
			err(2, "detach");
		if (waitpid(pid, &status, 0) != pid)
			err(2, "wait");
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
