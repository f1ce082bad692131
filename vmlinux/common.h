/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel types that bpf/ reads, each with the members it reads and no
 * others.  CO-RE finds them by name in the running kernel's BTF, so neither
 * order nor offsets matter, and members that some kernels lack are probed
 * with bpf_core_field_exists().
 */
#ifndef __VMLINUX_COMMON_H__
#define __VMLINUX_COMMON_H__

typedef unsigned char __u8;
typedef signed char __s8;
typedef unsigned short __u16;
typedef short __s16;
typedef unsigned int __u32;
typedef int __s32;
typedef unsigned long long __u64;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __s32 s32;
typedef __u64 u64;
typedef __s64 s64;
typedef _Bool bool;
enum { false = 0, true = 1 };

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};

/* Helpers that not every kernel has: asked with bpf_core_enum_value_exists(). */
enum bpf_func_id___probe {
	BPF_FUNC_task_pt_regs___probe = 175,
	BPF_FUNC_find_vma___probe = 180,
};

enum {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
	BPF_F_NO_PREALLOC = 1,
	BPF_LOCAL_STORAGE_GET_F_CREATE = 1,
};

/* Linux's own numbers, the same on all architectures. */
enum {
	SIGKILL = 9,
	SIGSYS = 31,
	SIGNAL_GROUP_EXIT = 4, /* include/linux/sched/signal.h */
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	unsigned int val;
} kuid_t;

struct cred {
	kuid_t euid;
};

struct kernfs_node {
	u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct signal_struct {
	atomic_t live;
	unsigned int flags;
};

/* Empty in a kernel without seccomp. */
struct seccomp {
	int mode;
};

struct super_block {
	u32 s_dev;
};

struct inode {
	unsigned long i_ino;
	u32 i_generation;
	struct super_block *i_sb;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	unsigned long vm_pgoff;
	struct file *vm_file;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
	u64 session_id;
	u64 seq_num;
};

#pragma clang attribute pop

#endif
