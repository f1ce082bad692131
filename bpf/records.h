/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel side hands to the program: plain records, nothing else.
 *
 * Shared by bpf/ (where vmlinux/ supplies the __u types) and user/ (where
 * <linux/types.h> does).  It knows nothing of names, rates or causes.
 */
#ifndef CLOCKTOP_RECORDS_H
#define CLOCKTOP_RECORDS_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

/* Whose syscall table a number belongs to: a property of the call. */
enum abi {
	ABI_X86_64,
	ABI_I386,
	ABI_ARM64,
	ABI_ARM,
	NR_ABI,
};

/* The clock syscalls. */
enum call {
	CALL_GETTIMEOFDAY,
	CALL_TIME,
	CALL_CLOCK_GETTIME,
	CALL_CLOCK_GETRES,
	CALL_CLOCK_GETTIME64,
	CALL_CLOCK_GETRES_TIME64,
	NR_CALL,
};

/* How a call reached the kernel. */
enum via {
	VIA_VDSO,     /* the vDSO was entered and made the syscall: a fallback */
	VIA_DIRECT,   /* the syscall instruction lies outside the vDSO */
	VIA_VSYSCALL, /* the legacy vsyscall page, emulated by the kernel */
	NR_VIA,
};

/*
 * A key says what was called and how it ended; the count of equal keys is
 * all that is kept of a call.  0 is no key.
 *
 *   bits  0-31  clock id (0 for the calls that take none)
 *        32-34  enum call
 *        35-36  enum abi
 *        37-38  enum via
 *        40-52  outcome: 0 the kernel answered 0 (time: no error),
 *               1 … 4095 the errno, or one of OUTCOME_* below
 *           63  set in every key
 */
#define KEY_CALL_SHIFT 32
#define KEY_ABI_SHIFT 35
#define KEY_VIA_SHIFT 37
#define KEY_OUTCOME_SHIFT 40
#define KEY_OUTCOME_BITS 13
#define KEY_USED (1ULL << 63)

/* The result is the syscall's own number: seccomp rolled the call back
 * (RET_TRAP, RET_KILL_*), so it looks like a success and is none. */
#define OUTCOME_ROLLED_BACK 4096
/* A positive result of a call that answers 0 or -errno: a seccomp notifier
 * or a tracer made it up. */
#define OUTCOME_POSITIVE 4097

static inline enum call key_call(__u64 key)
{
	return (enum call)((key >> KEY_CALL_SHIFT) & 7);
}

static inline enum abi key_abi(__u64 key)
{
	return (enum abi)((key >> KEY_ABI_SHIFT) & 3);
}

static inline enum via key_via(__u64 key)
{
	return (enum via)((key >> KEY_VIA_SHIFT) & 3);
}

static inline unsigned int key_outcome(__u64 key)
{
	return (key >> KEY_OUTCOME_SHIFT) & ((1U << KEY_OUTCOME_BITS) - 1);
}

static inline __s32 key_clock(__u64 key)
{
	return (__s32)(key & 0xffffffffU);
}

/*
 * Where the first call of a key came from, asked once (bpf_find_vma).
 *
 *   bits  0-37  for VIA_DIRECT: the offset of the return address in the file
 *        38-39  WHERE_VDSO_*: the state of the task's vDSO at that moment
 *        40-61  the file's number in the `objects` map; 0 not known,
 *               WHERE_ANON memory without a file
 *           62  a seccomp filter was installed in the task at that moment
 *           63  set once it was asked; 0 means it has not been yet
 */
#define WHERE_OFFSET_BITS 38
#define WHERE_VDSO_SHIFT 38
#define WHERE_OBJECT_SHIFT 40
#define WHERE_OBJECT_MASK 0x3fffffU
#define WHERE_FILTERED (1ULL << 62)
#define WHERE_ASKED (1ULL << 63)
#define WHERE_ANON WHERE_OBJECT_MASK

enum where_vdso {
	WHERE_VDSO_UNKNOWN,  /* not asked, or mmap lock was busy */
	WHERE_VDSO_NONE,     /* the kernel gave this process none */
	WHERE_VDSO_MAPPED,   /* it lies where the kernel put it */
	WHERE_VDSO_UNMAPPED, /* the kernel gave one and it is gone */
};

/* One kind of call of one task: cumulative, one writer (the task itself). */
struct slot {
	__u64 key;
	__u64 count;
	__u64 where;
};

/* Inline slots of a task; further keys go to the `overflow` map. */
#define NR_SLOTS 8

/* Names a task.  Strings are the kernel's bytes, NUL-terminated, unescaped. */
#define TASK_COMM 16
struct task_name {
	__u64 start_ns;	 /* the process's start, ns after boot (CLOCK_BOOTTIME) */
	__u64 cgroup_id; /* of cgroup v2; 1 or 0 on a pure v1 host */
	__u32 tgid;	 /* initial pid namespace */
	__u32 tid;
	__u32 uid;		/* effective uid, initial user namespace, as top shows it */
	__u32 flags;		/* TASK_* */
	char comm[TASK_COMM];	/* the process's name: its main thread's */
	char thread[TASK_COMM]; /* the thread's own name */
};

#define TASK_FOLLOWED 1U /* -p or COMMAND: in the followed set */
#define TASK_DEAD 2U	 /* exited: these counts are final */
#define TASK_LAST 4U	 /* with TASK_DEAD: no thread of the process is left */

/* One task as the iterator writes it and as the `dead` map keeps it.  The
 * iterator writes only the first `nr` slots. */
struct task_entry {
	__u64 serial; /* unique for as long as the programs are loaded, never 0 */
	struct task_name name;
	__u32 nr;
	__u32 pad;
	struct slot slots[NR_SLOTS];
};

/* Key and value of the `overflow` map. */
struct overflow_key {
	__u64 serial;
	__u64 key;
};

struct overflow_value {
	__u64 count;
	__u64 where;
};

/* Key and value of the `objects` map: files whose code made direct calls. */
struct object_key {
	__u64 ino;
	__u32 dev; /* kernel encoding: major << 20 | minor */
	__u32 generation;
};

#define OBJECT_NAME 256
struct object_value {
	__u32 id;		/* 1 … WHERE_ANON - 1 */
	char name[OBJECT_NAME]; /* base name, NUL-terminated */
};

/* One CPU's own numbers, in a cache line of their own, one writer. */
struct cpu_counts {
	__u64 syscalls; /* of all tasks: sys_exit seen on this CPU */
	__u64 serials;	/* given out on this CPU */
	__u64 buried;	/* records put into `dead` on this CPU */
	__u64 pad[5];
};

/* The largest NR_CPUS the kernel's configuration allows on x86 and arm64. */
#define MAX_CPUS 8192

/* Every way a call can fail to be counted has a counter of its own.  All
 * but the last count clock syscalls that are missing from the sums. */
enum loss {
	LOSS_STORAGE,  /* task storage refused */
	LOSS_OVERFLOW, /* overflow map refused */
	LOSS_DEAD,     /* dead map refused: calls that exited tasks had made */
	LOSS_FOLLOW,   /* followed set refused: processes, not calls */
	NR_LOSS,
};

#endif
