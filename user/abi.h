/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock syscalls and the clocks: their names, and their numbers in each
 * ABI's table.  This is the one place that knows them; it knows nothing of
 * processes, counts or causes.
 */
#ifndef CLOCKTOP_ABI_H
#define CLOCKTOP_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"

/* The ABI that this program was built for: the host's own. */
enum abi abi_host(void);

/* "x86_64", "i386", "arm64", "arm". */
const char *abi_name(enum abi abi);

/* "gettimeofday", "clock_gettime64", … */
const char *call_name(enum call call);

/* The call of that name, or -1. */
int call_from_name(const char *name);

/* Whether the call takes a clock id (gettimeofday and time do not). */
bool call_has_clock(enum call call);

/* "vdso", "direct", "vsyscall". */
const char *via_name(enum via via);

/* The syscall number of `call` in the table of `abi`, or -1 where that table
 * has none.  Source: arch/x86/entry/syscalls/, include/uapi/asm-generic/. */
int abi_number(enum abi abi, enum call call);

/* A clock's name: "CLOCK_MONOTONIC", "CPU(pid 4711)", "CPU(tid 4712)", "FD(7)",
 * "CLOCK(99)"; "" for a call that takes no clock.  CPU-time clocks of the
 * rarely used kinds say so: "CPU(pid 4711,virt)".  Always NUL-terminated;
 * CLOCK_NAME bytes always suffice.  Returns buf.
 * Source of the encoding: include/linux/posix-timers.h. */
#define CLOCK_NAME 40
char *clock_name(char *buf, size_t size, enum call call, int32_t clock);

/* As clock_name, without the prefix "CLOCK_": for screens. */
char *clock_short_name(char *buf, size_t size, enum call call, int32_t clock);

/* Whether some vDSO serves this clock on a good clocksource.  The kernel's
 * own list (lib/vdso/gettimeofday.c: VDSO_HRES, VDSO_COARSE, VDSO_RAW, and
 * VDSO_AUX since 6.17): what never is served costs a syscall on every host.
 * For gettimeofday and time, which take no clock: true. */
bool clock_can_be_served(enum call call, int32_t clock);

/* Whether serving this clock reads the clocksource's counter.  COARSE clocks,
 * time() and clock_getres never do. */
bool clock_reads_counter(enum call call, int32_t clock);

#endif
