/* SPDX-License-Identifier: GPL-2.0-only */
/* The arm64 half of the kernel types: see ../common.h. */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#include "../common.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct user_pt_regs {
	u64 regs[31];
	u64 sp;
	u64 pc;
	u64 pstate;
};

struct pt_regs {
	union {
		struct user_pt_regs user_regs;
		struct {
			u64 regs[31];
			u64 sp;
			u64 pc;
			u64 pstate;
		};
	};
	u64 orig_x0;
	s32 syscallno;
};

struct thread_info {
	unsigned long flags;
};

typedef struct {
	void *vdso;
} mm_context_t;

struct mm_struct {
	mm_context_t context;
};

struct task_struct {
	struct thread_info thread_info;
	struct mm_struct *mm;
	struct mm_struct *active_mm;
	int exit_code;
	int pid;
	int tgid;
	struct task_struct *group_leader;
	u64 start_boottime;
	const struct cred *real_cred;
	char comm[16];
	struct css_set *cgroups;
	struct signal_struct *signal;
	struct seccomp seccomp;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#pragma clang attribute pop

#endif
