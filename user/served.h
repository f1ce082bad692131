/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which clocks this host's vDSO serves now, found by calling it, and what a
 * read costs.  The vDSO is found through getauxval(AT_SYSINFO_EHDR) and its
 * own symbol table, not through libc.  Needs no privilege and no BPF: a
 * thread of its own installs a seccomp filter that refuses the clock
 * syscalls and calls the vDSO; what was not refused was served.
 * It knows the native ABI only, and no process but its own.
 */
#ifndef CLOCKTOP_SERVED_H
#define CLOCKTOP_SERVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"

/* Clock ids 0 … NR_CLOCKS-1 are asked one by one. */
#define NR_CLOCKS 24

enum served_state {
	SERVED_UNKNOWN, /* could not be asked */
	SERVED_NO,	/* became a syscall */
	SERVED_YES,
};

struct served {
	bool has_vdso;			  /* this process has one */
	unsigned char gettime[NR_CLOCKS]; /* enum served_state */
	unsigned char getres[NR_CLOCKS];
	unsigned char gettimeofday;
	unsigned char time;
	bool exists[NR_CLOCKS]; /* the kernel knows the clock (raw syscall says 0) */
};

/* Nanoseconds a read, medians; NAN where not measured.  Of clocks that the
 * kernel does not know, syscall_gettime is what its refusal costs. */
struct served_cost {
	double vdso_gettime[NR_CLOCKS];	   /* through the vDSO, whatever it does */
	double syscall_gettime[NR_CLOCKS]; /* a raw syscall */
	double vdso_gettimeofday, syscall_gettimeofday;
	double vdso_time, syscall_time;
	double syscall_getres;
};

/* Asks the vDSO.  Takes well under a millisecond.  0 or -errno (thread or
 * seccomp refused, or the filter does not bite); then all states are
 * SERVED_UNKNOWN, but has_vdso and exists still hold.  The clock syscalls that
 * this needs are the calling process's own. */
int served_ask(struct served *s);

/* Asks again, but only what can have changed since `before` (which may be *s): the
 * clocks that read the clocksource's counter.  The rest is taken from it; clocks
 * that came into being since are not noticed.  0 or -errno, and then *s is as
 * `before`. */
int served_ask_again(struct served *s, const struct served *before);

/* Measures, in a few milliseconds.  Call it before anything is attached.  Where
 * the clock's resolution is too coarse for that (no high-resolution timers),
 * everything is NAN. */
void served_measure(struct served_cost *c, const struct served *s);

/* The state of one native call.  clock_gettime64 is as clock_gettime. */
enum served_state served_state(const struct served *s, enum call call, int32_t clock);

/* Cost in ns of one such call made as a syscall: NAN when not known (CPU-time
 * clocks of other processes, …). */
double served_syscall_cost(const struct served_cost *c, enum call call, int32_t clock);

/* Whether both say the same of every clock. */
bool served_equal(const struct served *a, const struct served *b);

#endif
