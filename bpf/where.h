/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a call came from, asked once for each key of each task: the file and
 * offset of a direct call, and whether the task's vDSO is still where the
 * kernel put it.  bpf_find_vma() answers without sleeping; when the mmap lock
 * is taken it does not, and the next call of that key asks again.
 */
#ifndef CLOCKTOP_WHERE_H
#define CLOCKTOP_WHERE_H

#include "records.h"

#define EBUSY 16

const volatile u32 page_shift = 12;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, struct object_key);
	__type(value, struct object_value);
} objects SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct object_value);
} object_scratch SEC(".maps");

u32 last_object; /* the last number given out */

struct where_question {
	u64 address;
	u64 answer; /* WHERE_OBJECT and WHERE_OFFSET bits */
};

/* The number of a file, giving it one if it has none; 0 when that fails. */
static __always_inline u32 object_number(struct file *file)
{
	struct object_key key = {};
	struct object_value *value;
	u32 zero = 0;

	/* Not followed by the program itself: see name_process(). */
	key.ino = BPF_CORE_READ(file, f_inode, i_ino);
	key.dev = BPF_CORE_READ(file, f_inode, i_sb, s_dev);
	key.generation = BPF_CORE_READ(file, f_inode, i_generation);
	value = bpf_map_lookup_elem(&objects, &key);
	if (value)
		return value->id;
	value = bpf_map_lookup_elem(&object_scratch, &zero);
	if (!value)
		return 0;
	value->id = __sync_fetch_and_add(&last_object, 1) + 1;
	if (value->id >= WHERE_ANON)
		return 0;
	bpf_probe_read_kernel_str(value->name, sizeof(value->name),
				  BPF_CORE_READ(file, f_path.dentry, d_name.name));
	if (bpf_map_update_elem(&objects, &key, value, BPF_NOEXIST) == 0)
		return value->id;
	value = bpf_map_lookup_elem(&objects, &key); /* another CPU was first, or no room */
	return value ? value->id : 0;
}

static long answer_caller(struct task_struct *task, struct vm_area_struct *vma,
			  struct where_question *q)
{
	struct file *file = BPF_CORE_READ(vma, vm_file);
	u64 number = WHERE_ANON;
	u64 offset = q->address - vma->vm_start;

	if (file) {
		number = object_number(file);
		offset += (u64)vma->vm_pgoff << page_shift;
	}
	q->answer = (number & WHERE_OBJECT_MASK) << WHERE_OBJECT_SHIFT |
		    (offset & ((1ULL << WHERE_OFFSET_BITS) - 1));
	return 0;
}

/* A special mapping has no file; where the vDSO was, nothing or a mapping of
 * something else stands after it was unmapped. */
static long answer_vdso(struct task_struct *task, struct vm_area_struct *vma,
			struct where_question *q)
{
	bool special = vma->vm_start == q->address && !BPF_CORE_READ(vma, vm_file);

	q->answer = special ? WHERE_VDSO_MAPPED : WHERE_VDSO_UNMAPPED;
	return 0;
}

/* What is known without asking where. */
static __always_inline u64 where_nowhere(struct task_struct *task)
{
	if (bpf_core_field_exists(task->seccomp.mode) && task->seccomp.mode)
		return WHERE_ASKED | WHERE_FILTERED;
	return WHERE_ASKED;
}

/* 0 when the lock was busy: ask again.  Not static: the verifier then looks at
 * it once, and not again at each of the many places that call it. */
__noinline u64 where_ask(u64 caller, u64 vdso)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct where_question q = {};
	u64 where = where_nowhere(task);
	long err;

	/* Linux 5.17 */
	if (!bpf_core_enum_value_exists(enum bpf_func_id___probe, BPF_FUNC_find_vma___probe))
		return where | (vdso ? 0 : (u64)WHERE_VDSO_NONE << WHERE_VDSO_SHIFT);
	q.address = caller;
	err = bpf_find_vma(task, caller, answer_caller, &q, 0);
	if (err == -EBUSY)
		return 0;
	if (!err)
		where |= q.answer;
	if (!vdso)
		return where | (u64)WHERE_VDSO_NONE << WHERE_VDSO_SHIFT;
	q.address = vdso;
	q.answer = WHERE_VDSO_UNMAPPED;
	err = bpf_find_vma(task, vdso, answer_vdso, &q, 0);
	if (err == -EBUSY)
		return 0;
	return where | (q.answer & 3) << WHERE_VDSO_SHIFT;
}

#endif
