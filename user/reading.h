/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One way of reading one clock, and how long reads of it take.  The loops that
 * are timed live here, so that every figure of the program is got alike.
 * It decides nothing about what the figures mean.
 */
#ifndef CLOCKTOP_READING_H
#define CLOCKTOP_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#include "records.h"
#include "vdso.h"

enum reading_way {
	READING_NOTHING, /* the loop alone */
	READING_LIBC,	 /* the libc's function */
	READING_VDSO,	 /* the vDSO's function, whatever it does */
	READING_SYSCALL, /* syscall(2) */
};

/* Fill with reading_init(). */
struct reading {
	enum reading_way way;
	enum call call;
	clockid_t clock;
	union {
		int (*clock_call)(clockid_t clock, struct timespec *ts);
		int (*gettimeofday)(struct timeval *tv, void *tz);
		time_t (*time)(time_t *t);
	} function;
};

/* call is one of the native ones: gettimeofday, time, clock_gettime,
 * clock_getres.  false when there is no such way on this machine (a vDSO without
 * the function, arm64's time). */
bool reading_init(struct reading *r, enum reading_way way, enum call call, clockid_t clock,
		  const struct vdso_functions *vdso);

/* Reads n times in a row.  The reads cannot be optimised away. */
void reading_repeat(const struct reading *r, uint64_t n);

/* CLOCK_MONOTONIC in ns, through libc. */
uint64_t reading_now(void);

/* How many reads in a row take at least batch_ns: a power of two. */
uint64_t reading_batch(const struct reading *r, uint64_t batch_ns);

/* ns a read, once for each of `rounds` batches of n reads: the time of the
 * same number of turns of an empty loop, and of reading the clock that times
 * both, is taken off. */
void reading_time(const struct reading *r, uint64_t n, double *ns, size_t rounds);

#endif
