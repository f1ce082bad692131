/* SPDX-License-Identifier: GPL-2.0-only */
/* The x86-64 half of the kernel types: see ../common.h. */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#include "../common.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8;
	unsigned long ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};

struct thread_info {
	u32 status;
};

struct vdso_image {
	unsigned long size;
	long sym_int80_landing_pad;
};

typedef struct {
	void *vdso;
	const struct vdso_image *vdso_image;
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
