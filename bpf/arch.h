/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between x86-64 and arm64: where a syscall's number, first
 * argument and caller stand in pt_regs, how a call of the 32-bit table shows,
 * and where the vDSO lies.  Both halves offer the same functions.
 */
#ifndef CLOCKTOP_ARCH_H
#define CLOCKTOP_ARCH_H

#include "records.h"

/* One entry of the number table: which call a number is, in the native table
 * (low nibble) and in the 32-bit one (high nibble); 0 none, else call + 1. */
#define NATIVE(call) ((call) + 1)
#define COMPAT(call) (((call) + 1) << 4)
#define NR_NUMBERS 512

#ifdef __TARGET_ARCH_x86

#define ABI_NATIVE ABI_X86_64
#define ABI_COMPAT ABI_I386

/* TS_COMPAT of arch/x86/include/asm/thread_info.h: the call under way is of
 * the i386 table, whatever the process is. */
#define TS_COMPAT 0x2
/* __X32_SYSCALL_BIT: x32 calls are those of x86_64 with this bit. */
#define X32_BIT 0x40000000U

/* clang-format off */
static const u8 numbers[NR_NUMBERS] = {
	[96] = NATIVE(CALL_GETTIMEOFDAY),
	[201] = NATIVE(CALL_TIME),
	[228] = NATIVE(CALL_CLOCK_GETTIME),
	[229] = NATIVE(CALL_CLOCK_GETRES),
	[78] = COMPAT(CALL_GETTIMEOFDAY),
	[13] = COMPAT(CALL_TIME),
	[265] = COMPAT(CALL_CLOCK_GETTIME),
	[266] = COMPAT(CALL_CLOCK_GETRES),
	[403] = COMPAT(CALL_CLOCK_GETTIME64),
	[406] = COMPAT(CALL_CLOCK_GETRES_TIME64),
};
/* clang-format on */

/* The kernel itself takes the low 32 bits. */
static __always_inline u32 regs_number(struct pt_regs *regs)
{
	return (u32)regs->orig_ax & ~X32_BIT;
}

static __always_inline u32 regs_raw_number(struct pt_regs *regs)
{
	return (u32)regs->orig_ax;
}

static __always_inline bool call_is_compat(struct task_struct *task)
{
	return task->thread_info.status & TS_COMPAT;
}

static __always_inline s32 regs_clock(struct pt_regs *regs, bool compat)
{
	return (s32)(compat ? regs->bx : regs->di);
}

/* probe: by helper calls, see name_process(). */
static __always_inline u64 vdso_start(struct mm_struct *mm, bool probe)
{
	return (u64)(probe ? BPF_CORE_READ(mm, context.vdso) : mm->context.vdso);
}

static __always_inline u64 vdso_length(struct mm_struct *mm, bool probe, bool compat)
{
	return probe ? BPF_CORE_READ(mm, context.vdso_image, size) : mm->context.vdso_image->size;
}

/*
 * The address that decides how the call came.  It is the user ip, but for
 * i386, where libc makes every syscall through __kernel_vsyscall: the kernel
 * then returns to int80_landing_pad in the vDSO, and what tells the vDSO's
 * own fallback from a call of libc is the return address above the three
 * registers that __kernel_vsyscall pushed (arch/x86/entry/vdso/vdso32/
 * system_call.S).
 */
static __always_inline u64 regs_caller(struct pt_regs *regs, struct mm_struct *mm, u64 vdso,
				       bool compat)
{
	u64 ip = regs->ip;
	u32 caller = 0;

	if (!compat)
		return ip;
	if (ip != vdso + BPF_CORE_READ(mm, context.vdso_image, sym_int80_landing_pad))
		return ip;
	bpf_probe_read_user(&caller, sizeof(caller), (void *)(u64)((u32)regs->sp + 12));
	return caller;
}

#else /* arm64 */

#define ABI_NATIVE ABI_ARM64
#define ABI_COMPAT ABI_ARM

/* arch/arm64/include/asm/thread_info.h */
#define TIF_32BIT 22

/* The vDSO's sizes: the kernel keeps none in the mm.  Set before loading. */
const volatile u32 native_vdso_size;
const volatile u32 compat_vdso_size;

/* clang-format off */
static const u8 numbers[NR_NUMBERS] = {
	[169] = NATIVE(CALL_GETTIMEOFDAY),
	[113] = NATIVE(CALL_CLOCK_GETTIME),
	[114] = NATIVE(CALL_CLOCK_GETRES),
	[78] = COMPAT(CALL_GETTIMEOFDAY),
	[13] = COMPAT(CALL_TIME),
	[263] = COMPAT(CALL_CLOCK_GETTIME),
	[264] = COMPAT(CALL_CLOCK_GETRES),
	[403] = COMPAT(CALL_CLOCK_GETTIME64),
	[406] = COMPAT(CALL_CLOCK_GETRES_TIME64),
};
/* clang-format on */

static __always_inline u32 regs_number(struct pt_regs *regs)
{
	return regs->syscallno;
}

static __always_inline u32 regs_raw_number(struct pt_regs *regs)
{
	return regs->syscallno;
}

static __always_inline bool call_is_compat(struct task_struct *task)
{
	return task->thread_info.flags & (1UL << TIF_32BIT);
}

static __always_inline s32 regs_clock(struct pt_regs *regs, bool compat)
{
	return (s32)regs->orig_x0;
}

/* probe: by helper calls, see name_process(). */
static __always_inline u64 vdso_start(struct mm_struct *mm, bool probe)
{
	return (u64)(probe ? BPF_CORE_READ(mm, context.vdso) : mm->context.vdso);
}

static __always_inline u64 vdso_length(struct mm_struct *mm, bool probe, bool compat)
{
	return compat ? compat_vdso_size : native_vdso_size;
}

static __always_inline u64 regs_caller(struct pt_regs *regs, struct mm_struct *mm, u64 vdso,
				       bool compat)
{
	return regs->pc;
}

#endif

#endif
