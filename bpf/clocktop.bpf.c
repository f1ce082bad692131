// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel side: counts clock syscalls, each task its own.
 *
 * Every task has one record in task storage: a serial that is never given
 * twice, and cumulative counts by key in a few inline slots.  The task itself
 * is the only writer, so there are no locks and no shared cache lines.  When a
 * task exits, its record moves to the `dead` hash.  A refresh runs the task
 * iterator, which writes the live records that changed, and then drains
 * `dead`; differences by serial make every sum exact, through exec, reuse of
 * pids, and threads and processes of any length of life.
 *
 * Counting is done at sys_exit alone: number, argument, caller and the 32-bit
 * flag still stand in pt_regs there, and only there the answer is known and
 * the calls show that seccomp refused.
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "arch.h"
#include "records.h"
#include "where.h"

char LICENSE[] SEC("license") = "GPL";

const volatile bool follow_forks; /* -p or COMMAND */
bool emit_all;			  /* the iterator writes unchanged records as well */
bool peek;			  /* the iterator does not take note of what it wrote */

/* What one task has called: the value of `tasks`. */
struct task_record {
	u64 serial;
	u64 overflowed; /* calls counted in `overflow` */
	/* The iterator's own: what it has written of the slots and of them. */
	u64 reported;
	u64 reported_overflowed;
	u32 flags; /* TASK_* */
	u32 pad;
	struct slot slots[NR_SLOTS];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task_record);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 131072);
	__type(key, u64);
	__type(value, struct task_entry);
} dead SEC(".maps");

/* Where one is made: too large for a stack that others share. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct task_entry);
} dead_scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, struct overflow_key);
	__type(value, struct overflow_value);
} overflow SEC(".maps");

/* tgids that -p and COMMAND chose, and their descendants. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, u32);
	__type(value, u8);
} followed SEC(".maps");

struct cpu_counts cpus[MAX_CPUS] __attribute__((aligned(64)));
u64 losses[NR_LOSS];
u64 overflow_keys; /* how many were ever put into `overflow` */
u64 unburied;	   /* how many records `dead` refused, with lost calls in them or without */

static __always_inline void lose(enum loss what, u64 n)
{
	__sync_fetch_and_add(&losses[what], n);
}

/* The record of the current task, made if it has none.  NULL when the kernel
 * refuses; the caller counts that. */
static __always_inline struct task_record *own_record(struct task_struct *task)
{
	struct task_record *rec;
	u32 cpu, tgid;

	rec = bpf_task_storage_get(&tasks, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!rec || rec->serial)
		return rec;
	cpu = bpf_get_smp_processor_id() & (MAX_CPUS - 1);
	if (follow_forks) {
		tgid = task->tgid;
		if (bpf_map_lookup_elem(&followed, &tgid))
			rec->flags |= TASK_FOLLOWED;
	}
	rec->serial = ++cpus[cpu].serials * MAX_CPUS + cpu;
	return rec;
}

/* Where further keys go.  Its own function: seldom entered; not static, as
 * where_ask(). */
__noinline int count_overflow(u64 serial, u64 key, u64 caller, u64 vdso)
{
	struct overflow_key k = {serial, key};
	struct overflow_value *v, first = {.count = 1};

	v = bpf_map_lookup_elem(&overflow, &k);
	if (v) {
		v->count++;
		if (!v->where)
			v->where = where_ask(caller, vdso);
		return 0;
	}
	first.where = key_via(key) == VIA_DIRECT ? where_ask(caller, vdso)
						 : where_nowhere(bpf_get_current_task_btf());
	if (bpf_map_update_elem(&overflow, &k, &first, BPF_NOEXIST))
		return -1;
	__sync_fetch_and_add(&overflow_keys, 1);
	return 0;
}

static __always_inline void count_key(struct task_struct *task, u64 key, u64 caller, u64 vdso)
{
	struct task_record *rec = own_record(task);
	int i;

	if (!rec) {
		lose(LOSS_STORAGE, 1);
		return;
	}
#pragma unroll
	for (i = 0; i < NR_SLOTS; i++) {
		struct slot *slot = &rec->slots[i];

		if (slot->key == key) {
			slot->count++;
			if (!slot->where)
				slot->where = where_ask(caller, vdso);
			return;
		}
		if (!slot->key) {
			slot->count = 1;
			slot->where = key_via(key) == VIA_DIRECT ? where_ask(caller, vdso)
								 : where_nowhere(task);
			slot->key = key;
			return;
		}
	}
	if (count_overflow(rec->serial, key, caller, vdso))
		lose(LOSS_OVERFLOW, 1);
	else
		rec->overflowed++;
}

/* The same for calls that are seldom: its own function, as count_overflow(). */
__noinline int count_seldom(u64 key, u64 caller, u64 vdso)
{
	count_key(bpf_get_current_task_btf(), key, caller, vdso);
	return 0;
}

static __always_inline u64 outcome_of(enum call call, long ret, u32 raw_number)
{
	if (ret == 0)
		return 0;
	if (ret < 0 && ret >= -4095)
		return -ret;
	if (ret == raw_number)
		return OUTCOME_ROLLED_BACK;
	return call == CALL_TIME ? 0 : OUTCOME_POSITIVE;
}

static __always_inline u64 make_key(enum call call, enum abi abi, enum via via, u64 outcome,
				    s32 clock)
{
	return KEY_USED | outcome << KEY_OUTCOME_SHIFT | (u64)via << KEY_VIA_SHIFT |
	       (u64)abi << KEY_ABI_SHIFT | (u64)call << KEY_CALL_SHIFT | (u32)clock;
}

/* What `numbers` says of the call that regs show: 0 when its number is no clock
 * syscall's in any table. */
static __always_inline u32 entry_of(struct pt_regs *regs)
{
	u32 number = regs_number(regs);

	return number < NR_NUMBERS ? numbers[number] : 0;
}

/* Counts the call that regs show, if `entry` is not for the other table only.
 * seldom: what is dear to run may be spared the verifier instead. */
static __always_inline void count_call(struct task_struct *task, struct mm_struct *mm, bool seldom,
				       struct pt_regs *regs, u32 entry, long ret)
{
	u64 caller, vdso, length, offset, outcome, key;
	u32 raw_number;
	enum call call;
	enum via via;
	bool compat;
	s32 clock;

	compat = call_is_compat(task);
	if (compat)
		entry >>= 4;
	entry &= 15;
	if (!entry)
		return;
	call = entry - 1;

	/* All that is read comes before all that is decided: to the verifier every
	 * read is dear, and after each decision it looks at what follows once more. */
	raw_number = regs_raw_number(regs);
	vdso = vdso_start(mm, seldom);
	length = vdso_length(mm, seldom, compat);
	caller = regs_caller(regs, mm, vdso, compat);
	clock = regs_clock(regs, compat);

	if (call == CALL_GETTIMEOFDAY || call == CALL_TIME)
		clock = 0;
	if (compat)
		ret = (s32)ret;
	outcome = outcome_of(call, ret, raw_number);
	offset = caller - vdso;
	/* offset < length, without a branch: what the verifier knows of `via` would
	 * keep it from seeing that all that follows was looked at before. */
	via = ((offset - length) & ~offset) >> 63 ? VIA_VDSO : VIA_DIRECT;
	/* The kernel's void * is no number to pass on; what comes of a subtraction is. */
	barrier_var(offset);
	vdso = caller - offset;
	key = make_key(call, compat ? ABI_COMPAT : ABI_NATIVE, via, outcome, clock);
	if (seldom)
		count_seldom(key, caller, vdso);
	else
		count_key(task, key, caller, vdso);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(count_syscall, struct pt_regs *regs, long ret)
{
	struct task_struct *task;
	struct mm_struct *mm;
	u32 entry;

	cpus[bpf_get_smp_processor_id() & (MAX_CPUS - 1)].syscalls++;
	entry = entry_of(regs);
	if (!entry)
		return 0;
	/* Only now: on processors with return mitigations calling a helper costs
	 * as much as all of the above, three times over. */
	task = bpf_get_current_task_btf();
	mm = task->mm;
	barrier_var(mm); /* once, not again behind each decision */
	count_call(task, mm, false, regs, entry, ret);
	return 0;
}

#ifdef __TARGET_ARCH_x86
/* The legacy vsyscall page reaches no raw_syscalls tracepoint.  The answer is
 * not known here; arch/x86/entry/vsyscall/vsyscall_64.c has the numbers. */
SEC("tp_btf/emulate_vsyscall")
int BPF_PROG(count_vsyscall, int nr)
{
	if (nr == 0 || nr == 1)
		count_seldom(
		    make_key(nr ? CALL_TIME : CALL_GETTIMEOFDAY, ABI_NATIVE, VIA_VSYSCALL, 0, 0), 0,
		    0);
	return 0;
}
#endif

/* The calls in all slots. */
static __always_inline u64 sum_slots(const struct task_record *rec)
{
	u64 calls = 0;
	int i;

#pragma unroll
	for (i = 0; i < NR_SLOTS; i++)
		calls += rec->slots[i].count;
	return calls;
}

/* Copies the slots that are used.  Comes last: after each of its ends the verifier
 * looks at what follows once more.  Returns the calls in them. */
static __always_inline u64 fill_slots(struct task_entry *e, const struct task_record *rec)
{
	u64 calls = 0;
	int i;

	e->nr = 0;
	e->pad = 0;
#pragma unroll
	for (i = 0; i < NR_SLOTS; i++) {
		if (!rec->slots[i].key)
			break;
		e->slots[i] = rec->slots[i];
		e->nr = i + 1;
		calls += e->slots[i].count;
	}
	return calls;
}

/*
 * Pointers are followed with bpf_probe_read_kernel() wherever few tasks come by:
 * since Linux 6.4 the verifier searches all of the kernel's types several times
 * for each pointer that a program follows itself, half a millisecond each.
 */

/* What is a task's process's. */
static __always_inline void name_process(struct task_name *name, struct task_struct *task)
{
	name->tgid = task->tgid;
	name->start_ns = BPF_CORE_READ(task, group_leader, start_boottime);
	name->cgroup_id = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	BPF_CORE_READ_STR_INTO(&name->comm, task, group_leader, comm);
}

/* What is its own. */
static __always_inline void name_task(struct task_name *name, struct task_struct *task, u32 uid,
				      const struct task_record *rec)
{
	name->tid = task->pid;
	name->uid = uid;
	name->flags = rec->flags;
	BPF_CORE_READ_STR_INTO(&name->thread, task, comm);
}

/*
 * Seccomp's KILL_THREAD, and its strict mode, end a thread inside the call that
 * they refuse: no sys_exit comes.  Such a thread dies of SIGSYS or SIGKILL
 * without its process being told to end, as no other does (kernel/seccomp.c,
 * __seccomp_filter(), __secure_computing_strict()).
 *
 * Not static, as where_ask(): what the verifier knows at its many ends would else
 * be told apart in all that follows.
 */
__noinline int count_refused(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	int code = task->exit_code & 0x7f;
	struct mm_struct *mm;
	struct pt_regs *regs;
	u32 entry;

	if ((code != SIGSYS && code != SIGKILL) ||
	    BPF_CORE_READ(task, signal, flags) & SIGNAL_GROUP_EXIT)
		return 0;
	/* Linux 5.15 */
	if (!bpf_core_enum_value_exists(enum bpf_func_id___probe, BPF_FUNC_task_pt_regs___probe))
		return 0;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	entry = entry_of(regs);
	if (!entry)
		return 0;
	mm = BPF_CORE_READ(task, mm);
	if (!mm) /* some kernels have taken it away by now, but not yet freed it */
		mm = BPF_CORE_READ(task, active_mm);
	count_call(task, mm, true, regs, entry, regs_raw_number(regs));
	return 0;
}

/* Runs in the task that exits, after its last syscall. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(bury, struct task_struct *task)
{
	struct task_record *rec;
	struct task_entry *e;
	bool last;
	u32 tgid, zero = 0;
	u64 calls;

	count_refused();
	/* do_exit() has taken this thread off before it gets here. */
	last = BPF_CORE_READ(task, signal, live.counter) == 0;
	rec = bpf_task_storage_get(&tasks, task, NULL, 0);
	e = bpf_map_lookup_elem(&dead_scratch, &zero);
	if (rec && rec->serial && e) {
		rec->flags |= TASK_DEAD | (last ? TASK_LAST : 0);
		e->serial = rec->serial;
		name_process(&e->name, task);
		name_task(&e->name, task, BPF_CORE_READ(task, real_cred, euid.val), rec);
		calls = fill_slots(e, rec);
		/* What it has in `overflow` is not lost. */
		if (bpf_map_update_elem(&dead, &e->serial, e, BPF_NOEXIST)) {
			lose(LOSS_DEAD, calls - rec->reported);
			__sync_fetch_and_add(&unburied, 1);
		} else {
			cpus[bpf_get_smp_processor_id() & (MAX_CPUS - 1)].buried++;
		}
	}
	if (follow_forks && last) {
		tgid = task->tgid;
		bpf_map_delete_elem(&followed, &tgid);
	}
	return 0;
}

/* Runs in the task that execs, which has its new memory by now: what was noted of
 * where its calls come from is of the old. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(forget_where, struct task_struct *task)
{
	struct task_record *rec = bpf_task_storage_get(&tasks, task, NULL, 0);
	u64 nowhere;
	int i;

	if (!rec)
		return 0;
	nowhere = where_nowhere(task);
#pragma unroll
	for (i = 0; i < NR_SLOTS; i++)
		rec->slots[i].where = key_via(rec->slots[i].key) == VIA_DIRECT ? 0 : nowhere;
	return 0;
}

/* Runs before the child does. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(follow_fork, struct task_struct *parent, struct task_struct *child)
{
	u32 from = parent->tgid, to = child->tgid;
	u8 one = 1;

	if (from == to || !bpf_map_lookup_elem(&followed, &from))
		return 0;
	if (bpf_map_update_elem(&followed, &to, &one, BPF_ANY))
		lose(LOSS_FOLLOW, 1);
	return 0;
}

static struct task_name last_process; /* of one run of read_tasks */

/* Writes the live tasks' records whose counts changed since the last run. */
SEC("iter/task")
int read_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct task_record *rec;
	struct task_entry e;
	struct seq_file *seq;
	u64 calls, overflowed, changed, size;

	if (!task)
		return 0;
	if (!ctx->meta->seq_num)
		last_process.tgid = 0;
	rec = bpf_task_storage_get(&tasks, task, NULL, 0);
	if (!rec || !rec->serial || (rec->flags & TASK_DEAD))
		return 0;
	overflowed = rec->overflowed;
	/* One decision, not three: after each the verifier looks at the rest again. */
	changed =
	    (sum_slots(rec) ^ rec->reported) | (overflowed ^ rec->reported_overflowed) | emit_all;
	barrier_var(changed);
	if (!changed)
		return 0;
	seq = ctx->meta->seq;
	barrier_var(seq); /* not behind each end of fill_slots() */
	e.serial = rec->serial;
	/* Threads of a process mostly come one after the other. */
	if (last_process.tgid != (u32)task->tgid ||
	    last_process.start_ns != task->group_leader->start_boottime)
		name_process(&last_process, task);
	e.name = last_process;
	name_task(&e.name, task, task->real_cred->euid.val, rec);
	calls = fill_slots(&e, rec);
	size = e.nr;
	if (size > NR_SLOTS)
		return 0;
	size = sizeof(e) - sizeof(e.slots) + size * sizeof(struct slot);
	/* Without room the kernel comes back with the same task. */
	if (bpf_seq_write(seq, &e, size) == 0 && !peek) {
		rec->reported = calls;
		rec->reported_overflowed = overflowed;
	}
	return 0;
}
