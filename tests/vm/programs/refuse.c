// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program under a seccomp filter that refuses one syscall.
 *
 *   refuse ABI NR ERRNO PROGRAM [ARG…]     ABI: x86_64 i386 arm64 arm
 *
 * NR is a number of ABI's table; ERRNO what the kernel is to answer.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned int audit_arch(const char *abi)
{
	static const struct {
		const char *name;
		unsigned int arch;
	} archs[] = {
	    {"x86_64", AUDIT_ARCH_X86_64},
	    {"i386", AUDIT_ARCH_I386},
	    {"arm64", AUDIT_ARCH_AARCH64},
	    {"arm", AUDIT_ARCH_ARM},
	};

	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (!strcmp(abi, archs[i].name))
			return archs[i].arch;
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 5 || !audit_arch(argv[1])) {
		fputs("usage: refuse ABI NR ERRNO PROGRAM [ARG…]\n", stderr);
		return 2;
	}
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, audit_arch(argv[1]), 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)atoi(argv[2]), 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)atoi(argv[3])),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
	    .len = sizeof(filter) / sizeof(filter[0]),
	    .filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("refuse: seccomp");
		return 1;
	}
	execv(argv[4], argv + 4);
	perror(argv[4]);
	return 127;
}
