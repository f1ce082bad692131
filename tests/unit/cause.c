// SPDX-License-Identifier: GPL-2.0-only
/* Every row of evidence that can occur, and the cause a kernel engineer names. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "abi.h"
#include "cause.h"

#define REALTIME 0
#define MONOTONIC 1
#define PROCESS_CPUTIME 2
#define MONOTONIC_COARSE 6
#define BOOTTIME_ALARM 9
#define AUX 16
#define NONE 99
#define CPU(pid) ((int32_t)(~(uint32_t)(pid) << 3 | 2))
#define FD(fd) ((int32_t)(~(uint32_t)(fd) << 3 | 3))

/* Ten calls and how they ended. */
#define OK                                                                                         \
	{                                                                                          \
		.count = 10                                                                        \
	}
#define EINVAL_ALL                                                                                 \
	{                                                                                          \
		.count = 10, .errors = 10, .einval = 10, .last_outcome = EINVAL                    \
	}
#define EINVAL_FEW                                                                                 \
	{                                                                                          \
		.count = 10, .errors = 2, .einval = 2, .last_outcome = EINVAL                      \
	}
#define EFAULT_ALL                                                                                 \
	{                                                                                          \
		.count = 10, .errors = 10, .efault = 10, .last_outcome = EFAULT                    \
	}
#define EFAULT_EINVAL                                                                              \
	{                                                                                          \
		.count = 10, .errors = 10, .efault = 9, .einval = 1, .last_outcome = EINVAL        \
	}
#define ALL(errno_)                                                                                \
	{                                                                                          \
		.count = 10, .errors = 10, .other = 10, .last_outcome = (errno_)                   \
	}
#define FEW(errno_)                                                                                \
	{                                                                                          \
		.count = 10, .errors = 3, .other = 3, .last_outcome = (errno_)                     \
	}
#define MOST(errno_)                                                                               \
	{                                                                                          \
		.count = 10, .errors = 7, .other = 7, .last_outcome = (errno_)                     \
	}
#define ROLLED_BACK                                                                                \
	{                                                                                          \
		.count = 10, .errors = 10, .rolled_back = 10, .last_outcome = OUTCOME_ROLLED_BACK  \
	}
#define TRAP_THEN_EPERM                                                                            \
	{                                                                                          \
		.count = 10, .errors = 10, .rolled_back = 1, .other = 9, .last_outcome = EPERM     \
	}

#define U FACT_UNKNOWN
#define N FACT_NO
#define Y FACT_YES

struct row {
	const char *what;
	enum call call;
	int32_t clock;
	enum abi abi;
	enum via via;
	struct tally calls;
	enum served_state served;
	bool unserved;
	enum served_state exists;
	enum fact mapped, genuine, seccomp;
	enum caller caller;
	enum cause cause;
	enum missing missing;
};

#define GETTIME CALL_CLOCK_GETTIME
#define X64 ABI_X86_64
#define VD VIA_VDSO
#define DI VIA_DIRECT

static const struct row rows[] = {
    /* The legacy page, whatever else is known. */
    {"vsyscall gettimeofday", CALL_GETTIMEOFDAY, 0, X64, VIA_VSYSCALL, OK, SERVED_YES, false,
     SERVED_YES, Y, Y, N, CALLER_UNKNOWN, CAUSE_VSYSCALL, 0},
    {"vsyscall, nothing known", CALL_TIME, 0, X64, VIA_VSYSCALL, OK, SERVED_UNKNOWN, false,
     SERVED_UNKNOWN, U, U, U, CALLER_UNKNOWN, CAUSE_VSYSCALL, 0},

    /* Fallbacks. */
    {"hpet", GETTIME, MONOTONIC, X64, VD, OK, SERVED_NO, true, SERVED_YES, Y, Y, N, CALLER_UNKNOWN,
     CAUSE_CLOCKSOURCE, 0},
    {"hpet, gettimeofday", CALL_GETTIMEOFDAY, 0, X64, VD, OK, SERVED_NO, true, SERVED_YES, Y, Y, N,
     CALLER_UNKNOWN, CAUSE_CLOCKSOURCE, 0},
    {"hpet, the process is gone", GETTIME, REALTIME, X64, VD, OK, SERVED_NO, true, SERVED_YES, U, U,
     U, CALLER_UNKNOWN, CAUSE_CLOCKSOURCE, 0},
    {"hpet until a moment ago", GETTIME, REALTIME, X64, VD, OK, SERVED_YES, true, SERVED_YES, Y, Y,
     N, CALLER_UNKNOWN, CAUSE_CLOCKSOURCE, 0},
    {"kvm-clock lost its bit for moments", GETTIME, REALTIME, X64, VD, OK, SERVED_YES, false,
     SERVED_YES, Y, Y, N, CALLER_UNKNOWN, CAUSE_CLOCKSOURCE, 0},
    {"served, vDSO not compared", GETTIME, REALTIME, X64, VD, OK, SERVED_YES, false, SERVED_YES, Y,
     U, N, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_VDSO},
    {"not asked, vDSO not compared", GETTIME, REALTIME, X64, VD, OK, SERVED_UNKNOWN, false,
     SERVED_YES, Y, U, N, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_SERVED},
    {"not asked, but the kernel's code fell back", GETTIME, REALTIME, X64, VD, OK, SERVED_UNKNOWN,
     false, SERVED_YES, Y, Y, N, CALLER_UNKNOWN, CAUSE_CLOCKSOURCE, 0},
    {"i386 under hpet, no reference", CALL_CLOCK_GETTIME64, MONOTONIC, ABI_I386, VD, OK, SERVED_NO,
     true, SERVED_YES, Y, U, N, CALLER_UNKNOWN, CAUSE_CLOCKSOURCE, 0},
    {"arm under an erratum of 32-bit only", CALL_CLOCK_GETTIME64, MONOTONIC, ABI_ARM, VD, OK,
     SERVED_YES, false, SERVED_YES, Y, U, N, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_VDSO},
    {"patched", GETTIME, MONOTONIC, X64, VD, OK, SERVED_YES, false, SERVED_YES, Y, N, N,
     CALLER_UNKNOWN, CAUSE_VDSO_MODIFIED, 0},
    {"patched under hpet", GETTIME, MONOTONIC, X64, VD, OK, SERVED_NO, true, SERVED_YES, Y, N, N,
     CALLER_UNKNOWN, CAUSE_VDSO_MODIFIED, 0},
    {"patched, coarse", GETTIME, MONOTONIC_COARSE, X64, VD, OK, SERVED_YES, false, SERVED_YES, Y, N,
     N, CALLER_UNKNOWN, CAUSE_VDSO_MODIFIED, 0},
    {"coarse, genuine: somebody jumped in", GETTIME, MONOTONIC_COARSE, X64, VD, OK, SERVED_YES,
     false, SERVED_YES, Y, Y, N, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_CALLER},
    {"coarse, not compared", GETTIME, MONOTONIC_COARSE, X64, VD, OK, SERVED_YES, false, SERVED_YES,
     Y, U, N, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_VDSO},
    {"coarse, a vDSO that never serves it", GETTIME, MONOTONIC_COARSE, X64, VD, OK, SERVED_NO, true,
     SERVED_YES, Y, Y, N, CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"patched time()", CALL_TIME, 0, X64, VD, OK, SERVED_YES, false, SERVED_YES, Y, N, N,
     CALLER_UNKNOWN, CAUSE_VDSO_MODIFIED, 0},
    {"aux clock under hpet", GETTIME, AUX, X64, VD, OK, SERVED_NO, true, SERVED_YES, Y, Y, N,
     CALLER_UNKNOWN, CAUSE_CLOCKSOURCE, 0},
    {"code mapped where the vDSO was", GETTIME, MONOTONIC, X64, VD, OK, SERVED_YES, false,
     SERVED_YES, N, U, N, CALLER_UNKNOWN, CAUSE_NO_VDSO, 0},

    /* Clocks that no vDSO serves. */
    {"process CPU time", GETTIME, PROCESS_CPUTIME, X64, VD, OK, SERVED_NO, true, SERVED_YES, Y, Y,
     N, CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"process CPU time, gone", GETTIME, PROCESS_CPUTIME, X64, VD, OK, SERVED_NO, true, SERVED_YES,
     U, U, U, CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"process CPU time, raw", GETTIME, PROCESS_CPUTIME, X64, DI, OK, SERVED_NO, true, SERVED_YES, Y,
     Y, N, CALLER_LIBC_SYSCALL, CAUSE_CLOCK_ID, 0},
    {"process CPU time, no vDSO", GETTIME, PROCESS_CPUTIME, X64, DI, OK, SERVED_NO, true,
     SERVED_YES, N, U, N, CALLER_LIBC_WRAPPER, CAUSE_CLOCK_ID, 0},
    {"process CPU time, patched vDSO", GETTIME, PROCESS_CPUTIME, X64, VD, OK, SERVED_NO, true,
     SERVED_YES, Y, N, N, CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"its resolution", CALL_CLOCK_GETRES, PROCESS_CPUTIME, X64, VD, OK, SERVED_NO, true, SERVED_YES,
     Y, Y, N, CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"alarm", GETTIME, BOOTTIME_ALARM, X64, VD, OK, SERVED_NO, true, SERVED_YES, Y, Y, N,
     CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"foreign CPU clock", GETTIME, CPU(1), X64, VD, OK, SERVED_NO, true, SERVED_YES, Y, Y, N,
     CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"PTP", GETTIME, FD(7), X64, VD, OK, SERVED_NO, true, SERVED_UNKNOWN, Y, Y, N, CALLER_UNKNOWN,
     CAUSE_CLOCK_ID, 0},
    {"PTP, unplugged", GETTIME, FD(7), X64, VD, ALL(ENODEV), SERVED_NO, true, SERVED_UNKNOWN, Y, Y,
     U, CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"PTP, cannot be read", GETTIME, FD(7), X64, VD, ALL(EOPNOTSUPP), SERVED_NO, true,
     SERVED_UNKNOWN, Y, Y, Y, CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},

    /* Clocks that are not there. */
    {"CLOCK(99)", GETTIME, NONE, X64, VD, EINVAL_ALL, SERVED_NO, true, SERVED_NO, Y, Y, N,
     CALLER_UNKNOWN, CAUSE_INVALID_CLOCK, 0},
    {"CLOCK(99) in a container", GETTIME, NONE, X64, DI, EINVAL_ALL, SERVED_NO, true, SERVED_NO, Y,
     Y, Y, CALLER_LIBC_SYSCALL, CAUSE_INVALID_CLOCK, 0},
    {"CLOCK(99), gone", GETTIME, NONE, X64, VD, EINVAL_ALL, SERVED_NO, true, SERVED_NO, U, U, U,
     CALLER_UNKNOWN, CAUSE_INVALID_CLOCK, 0},
    {"CLOCK(99), legacy libc", GETTIME, NONE, X64, DI, EINVAL_ALL, SERVED_NO, true, SERVED_NO, N, U,
     N, CALLER_LIBC_WRAPPER, CAUSE_INVALID_CLOCK, 0},
    {"its resolution", CALL_CLOCK_GETRES, NONE, X64, VD, EINVAL_ALL, SERVED_NO, true, SERVED_NO, Y,
     Y, N, CALLER_UNKNOWN, CAUSE_INVALID_CLOCK, 0},
    {"CLOCK(99), bad pointers too", GETTIME, NONE, X64, VD, EFAULT_EINVAL, SERVED_NO, true,
     SERVED_NO, Y, Y, N, CALLER_UNKNOWN, CAUSE_INVALID_CLOCK, 0},
    {"alarm on a host without a waking RTC", GETTIME, BOOTTIME_ALARM, X64, VD, EINVAL_ALL,
     SERVED_NO, true, SERVED_NO, Y, Y, N, CALLER_UNKNOWN, CAUSE_INVALID_CLOCK, 0},
    {"aux clock that is off", GETTIME, AUX, X64, VD, ALL(ENODEV), SERVED_NO, true, SERVED_NO, Y, Y,
     N, CALLER_UNKNOWN, CAUSE_INVALID_CLOCK, 0},
    {"CPU clock of a task that is gone", GETTIME, CPU(4711), X64, VD, EINVAL_ALL, SERVED_NO, true,
     SERVED_UNKNOWN, Y, Y, N, CALLER_UNKNOWN, CAUSE_INVALID_CLOCK, 0},
    {"the same, known", GETTIME, CPU(4711), X64, VD, EINVAL_ALL, SERVED_NO, true, SERVED_NO, Y, Y,
     Y, CALLER_UNKNOWN, CAUSE_INVALID_CLOCK, 0},
    {"the same behind a filter, not known", GETTIME, CPU(4711), X64, VD, EINVAL_ALL, SERVED_NO,
     true, SERVED_UNKNOWN, Y, Y, Y, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_SECCOMP},
    {"the same, the caller is gone", GETTIME, CPU(4711), X64, VD, EINVAL_ALL, SERVED_NO, true,
     SERVED_UNKNOWN, U, U, U, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_SECCOMP},
    {"a CPU clock that came and went", GETTIME, CPU(4711), X64, VD, EINVAL_FEW, SERVED_NO, true,
     SERVED_YES, Y, Y, N, CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"descriptor that is no clock", GETTIME, FD(7), X64, VD, EINVAL_ALL, SERVED_NO, true, SERVED_NO,
     Y, Y, Y, CALLER_UNKNOWN, CAUSE_INVALID_CLOCK, 0},

    /* Refused. */
    {"trap", GETTIME, MONOTONIC, X64, DI, ROLLED_BACK, SERVED_YES, false, SERVED_YES, Y, Y, Y,
     CALLER_LIBC_SYSCALL, CAUSE_DENIED, 0},
    {"kill: gone by then", GETTIME, MONOTONIC, X64, DI, ROLLED_BACK, SERVED_YES, false, SERVED_YES,
     U, U, U, CALLER_UNKNOWN, CAUSE_DENIED, 0},
    {"trap, then EPERM", GETTIME, MONOTONIC, X64, DI, TRAP_THEN_EPERM, SERVED_YES, false,
     SERVED_YES, Y, Y, U, CALLER_LIBC_SYSCALL, CAUSE_DENIED, 0},
    {"EPERM", GETTIME, PROCESS_CPUTIME, X64, VD, ALL(EPERM), SERVED_NO, true, SERVED_YES, Y, Y, Y,
     CALLER_UNKNOWN, CAUSE_DENIED, 0},
    {"EPERM, gone by then", GETTIME, PROCESS_CPUTIME, X64, VD, ALL(EPERM), SERVED_NO, true,
     SERVED_YES, U, U, U, CALLER_UNKNOWN, CAUSE_DENIED, 0},
    {"ENOSYS of an old libseccomp", CALL_CLOCK_GETTIME64, MONOTONIC, ABI_I386, VD, ALL(ENOSYS),
     SERVED_NO, true, SERVED_YES, Y, U, Y, CALLER_UNKNOWN, CAUSE_DENIED, 0},
    {"most of them", GETTIME, MONOTONIC, X64, DI, MOST(EPERM), SERVED_YES, false, SERVED_YES, Y, Y,
     Y, CALLER_PROGRAM, CAUSE_DENIED, 0},
    {"a few of them, from one thread", GETTIME, MONOTONIC, X64, DI, FEW(EPERM), SERVED_YES, false,
     SERVED_YES, Y, Y, Y, CALLER_PROGRAM, CAUSE_DIRECT, 0},
    {"EINVAL of a filter", GETTIME, MONOTONIC, X64, DI, EINVAL_ALL, SERVED_YES, false, SERVED_YES,
     Y, Y, Y, CALLER_PROGRAM, CAUSE_DENIED, 0},
    {"EINVAL, filter not known", GETTIME, MONOTONIC, X64, DI, EINVAL_ALL, SERVED_YES, false,
     SERVED_YES, Y, Y, U, CALLER_PROGRAM, CAUSE_UNKNOWN, MISSING_SECCOMP},
    {"EINVAL for a clock that is there, no filter", GETTIME, MONOTONIC, X64, DI, EINVAL_ALL,
     SERVED_YES, false, SERVED_YES, Y, Y, N, CALLER_PROGRAM, CAUSE_UNKNOWN, MISSING_ANSWER},
    {"a tracer's EPERM", GETTIME, MONOTONIC, X64, DI, ALL(EPERM), SERVED_YES, false, SERVED_YES, Y,
     Y, N, CALLER_PROGRAM, CAUSE_UNKNOWN, MISSING_ANSWER},
    {"a notifier's positive answer", GETTIME, MONOTONIC, X64, DI, ALL(OUTCOME_POSITIVE), SERVED_YES,
     false, SERVED_YES, Y, Y, Y, CALLER_PROGRAM, CAUSE_DENIED, 0},
    {"gettimeofday refused", CALL_GETTIMEOFDAY, 0, X64, DI, ALL(EPERM), SERVED_YES, false,
     SERVED_YES, Y, Y, Y, CALLER_PROGRAM, CAUSE_DENIED, 0},
    {"time refused", CALL_TIME, 0, X64, DI, ALL(EACCES), SERVED_YES, false, SERVED_YES, Y, Y, Y,
     CALLER_LIBC_WRAPPER, CAUSE_DENIED, 0},
    {"PTP refused", GETTIME, FD(7), X64, VD, ALL(EPERM), SERVED_NO, true, SERVED_UNKNOWN, Y, Y, Y,
     CALLER_UNKNOWN, CAUSE_DENIED, 0},
    {"PTP refused or its driver", GETTIME, FD(7), X64, VD, ALL(EPERM), SERVED_NO, true,
     SERVED_UNKNOWN, Y, Y, U, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_SECCOMP},
    {"PTP, ENOSYS", GETTIME, FD(7), X64, VD, ALL(ENOSYS), SERVED_NO, true, SERVED_UNKNOWN, Y, Y, U,
     CALLER_UNKNOWN, CAUSE_DENIED, 0},

    /* No vDSO. */
    {"vdso=0", GETTIME, MONOTONIC, X64, DI, OK, SERVED_NO, true, SERVED_YES, N, U, N,
     CALLER_LIBC_WRAPPER, CAUSE_NO_VDSO, 0},
    {"under valgrind", GETTIME, MONOTONIC, X64, DI, OK, SERVED_YES, false, SERVED_YES, N, U, N,
     CALLER_PROGRAM, CAUSE_NO_VDSO, 0},
    {"vdso32=0, gone by then", CALL_CLOCK_GETTIME64, MONOTONIC, ABI_I386, DI, OK, SERVED_YES, false,
     SERVED_YES, N, U, U, CALLER_UNKNOWN, CAUSE_NO_VDSO, 0},
    {"a JIT without a vDSO", GETTIME, MONOTONIC, X64, DI, OK, SERVED_YES, false, SERVED_YES, N, U,
     N, CALLER_ANON, CAUSE_NO_VDSO, 0},

    /* Outside the vDSO. */
    {"klibc", GETTIME, MONOTONIC, X64, DI, OK, SERVED_YES, false, SERVED_YES, Y, Y, N,
     CALLER_LIBC_OTHER, CAUSE_LIBC, 0},
    {"old libc under hpet", GETTIME, MONOTONIC, X64, DI, OK, SERVED_NO, true, SERVED_YES, Y, Y, N,
     CALLER_LIBC_WRAPPER, CAUSE_LIBC, 0},
    {"musl's clock_getres", CALL_CLOCK_GETRES, MONOTONIC, X64, DI, OK, SERVED_YES, false,
     SERVED_YES, Y, Y, N, CALLER_LIBC_WRAPPER, CAUSE_LIBC, 0},
    {"static glibc's time()", CALL_TIME, 0, X64, DI, OK, SERVED_YES, false, SERVED_YES, Y, Y, N,
     CALLER_LIBC_WRAPPER, CAUSE_LIBC, 0},
    {"syscall(2)", GETTIME, MONOTONIC, X64, DI, OK, SERVED_YES, false, SERVED_YES, Y, Y, N,
     CALLER_LIBC_SYSCALL, CAUSE_DIRECT, 0},
    {"own text", GETTIME, MONOTONIC, X64, DI, OK, SERVED_YES, false, SERVED_YES, Y, Y, N,
     CALLER_PROGRAM, CAUSE_DIRECT, 0},
    {"own text under hpet", GETTIME, MONOTONIC, X64, DI, OK, SERVED_NO, true, SERVED_YES, Y, Y, N,
     CALLER_PROGRAM, CAUSE_DIRECT, 0},
    {"int $0x80 from a 64-bit program", GETTIME, MONOTONIC, ABI_I386, DI, OK, SERVED_YES, false,
     SERVED_YES, Y, Y, N, CALLER_PROGRAM, CAUSE_DIRECT, 0},
    {"JIT", GETTIME, MONOTONIC, X64, DI, OK, SERVED_YES, false, SERVED_YES, Y, Y, N, CALLER_ANON,
     CAUSE_DIRECT, 0},
    {"bad pointer", GETTIME, MONOTONIC, X64, DI, EFAULT_ALL, SERVED_YES, false, SERVED_YES, Y, Y, N,
     CALLER_LIBC_SYSCALL, CAUSE_DIRECT, 0},
    {"bad pointer in a container", GETTIME, MONOTONIC, X64, DI, EFAULT_ALL, SERVED_YES, false,
     SERVED_YES, Y, Y, Y, CALLER_PROGRAM, CAUSE_DIRECT, 0},
    {"bad pointer to a CPU clock", GETTIME, PROCESS_CPUTIME, X64, VD, EFAULT_ALL, SERVED_NO, true,
     SERVED_YES, Y, Y, N, CALLER_UNKNOWN, CAUSE_CLOCK_ID, 0},
    {"a few invalid", GETTIME, MONOTONIC, X64, DI, EINVAL_FEW, SERVED_YES, false, SERVED_YES, Y, Y,
     N, CALLER_PROGRAM, CAUSE_DIRECT, 0},
    {"stripped static program", GETTIME, MONOTONIC, X64, DI, OK, SERVED_YES, false, SERVED_YES, Y,
     Y, N, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_CALLER},
    {"gone before its maps were read", GETTIME, MONOTONIC, X64, DI, OK, SERVED_YES, false,
     SERVED_YES, U, U, U, CALLER_UNKNOWN, CAUSE_UNKNOWN, MISSING_MAPS},
    {"gone, but its code is known", GETTIME, MONOTONIC, X64, DI, OK, SERVED_YES, false, SERVED_YES,
     U, U, U, CALLER_ANON, CAUSE_UNKNOWN, MISSING_MAPS},
};

static void every_row(void **state)
{
	size_t wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct evidence e = {
		    .call = r->call,
		    .abi = r->abi,
		    .via = r->via,
		    .clock = r->clock,
		    .calls = r->calls,
		    .served = r->served,
		    .unserved_in_interval = r->unserved,
		    .exists = r->exists,
		    .vdso_mapped = r->mapped,
		    .vdso_genuine = r->genuine,
		    .seccomp = r->seccomp,
		    .caller = r->caller,
		};
		struct verdict v = cause_decide(&e);

		if (v.cause == r->cause && v.missing == r->missing)
			continue;
		print_error("%s: %s/%d, not %s/%d\n", r->what, cause_name(v.cause), v.missing,
			    cause_name(r->cause), r->missing);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* What must hold for whatever is put in. */
static void check_rules(const struct evidence *e)
{
	struct verdict v = cause_decide(e);
	bool lies = e->calls.rolled_back == 0 && v.cause == CAUSE_DENIED && e->seccomp == FACT_NO;

	assert_true((v.cause == CAUSE_UNKNOWN) == (v.missing != MISSING_NOTHING));
	assert_true((v.cause == CAUSE_VSYSCALL) == (e->via == VIA_VSYSCALL));
	assert_false(lies);
	if (v.cause == CAUSE_DIRECT || v.cause == CAUSE_LIBC) {
		assert_int_equal(e->via, VIA_DIRECT);
		assert_int_equal(e->vdso_mapped, FACT_YES);
		assert_int_not_equal(e->caller, CALLER_UNKNOWN);
	}
	if (v.cause == CAUSE_CLOCKSOURCE) {
		assert_int_equal(e->via, VIA_VDSO);
		assert_true(clock_reads_counter(e->call, e->clock));
		assert_int_not_equal(e->vdso_genuine, FACT_NO);
		/* A good clocksource is never called bad on a guess. */
		assert_true(e->unserved_in_interval || e->vdso_genuine == FACT_YES);
	}
	if (v.cause == CAUSE_NO_VDSO)
		assert_int_equal(e->vdso_mapped, FACT_NO);
	if (v.cause == CAUSE_VDSO_MODIFIED)
		assert_int_equal(e->vdso_genuine, FACT_NO);
	if (v.cause == CAUSE_INVALID_CLOCK)
		assert_int_not_equal(e->exists, SERVED_YES);
}

static void check_facts(struct evidence *e)
{
	for (int bits = 0; bits < 3 * 3 * 3 * 3 * 3 * 2; bits++) {
		int b = bits;

		e->vdso_mapped = b % 3, b /= 3;
		e->vdso_genuine = b % 3, b /= 3;
		e->seccomp = b % 3, b /= 3;
		e->served = b % 3, b /= 3;
		e->exists = b % 3, b /= 3;
		e->unserved_in_interval = b != 0;
		for (int caller = 0; caller < NR_CALLER; caller++) {
			e->caller = caller;
			check_rules(e);
		}
	}
}

static void every_combination_keeps_the_rules(void **state)
{
	static const struct tally tallies[] = {
	    OK,		 EINVAL_ALL, EINVAL_FEW,  EFAULT_ALL,  EFAULT_EINVAL,
	    ALL(EPERM),	 FEW(EPERM), MOST(EPERM), ALL(ENODEV), ALL(OUTCOME_POSITIVE),
	    ROLLED_BACK,
	};
	static const int32_t clocks[] = {
	    REALTIME, PROCESS_CPUTIME, MONOTONIC_COARSE, AUX, NONE, CPU(7), FD(7)};

	(void)state;
	for (size_t t = 0; t < sizeof(tallies) / sizeof(tallies[0]); t++)
		for (size_t c = 0; c < sizeof(clocks) / sizeof(clocks[0]); c++)
			for (int call = 0; call < NR_CALL; call++)
				for (int via = 0; via < NR_VIA; via++) {
					struct evidence e = {.call = call,
							     .via = via,
							     .clock = clocks[c],
							     .calls = tallies[t]};

					check_facts(&e);
				}
}

static void every_word_has_its_sentences(void **state)
{
	(void)state;
	for (int cause = 0; cause < NR_CAUSE; cause++) {
		assert_non_null(cause_meaning(cause));
		assert_non_null(cause_remedy(cause));
	}
	for (int missing = 0; missing < NR_MISSING; missing++)
		assert_non_null(missing_sentence(missing));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_row),
	    cmocka_unit_test(every_combination_keeps_the_rules),
	    cmocka_unit_test(every_word_has_its_sentences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
