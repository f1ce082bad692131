// SPDX-License-Identifier: GPL-2.0-only
#include "reading.h"

#include <sys/syscall.h>
#include <unistd.h>

static int syscall_gettime(clockid_t clock, struct timespec *ts)
{
	return (int)syscall(SYS_clock_gettime, clock, ts);
}

static int syscall_getres(clockid_t clock, struct timespec *ts)
{
	return (int)syscall(SYS_clock_getres, clock, ts);
}

static int syscall_gettimeofday(struct timeval *tv, void *tz)
{
	return (int)syscall(SYS_gettimeofday, tv, tz);
}

#ifdef SYS_time
static time_t syscall_time(time_t *t)
{
	return syscall(SYS_time, t);
}
#else
#define syscall_time NULL
#endif

static int libc_gettimeofday(struct timeval *tv, void *tz)
{
	return gettimeofday(tv, tz);
}

bool reading_init(struct reading *r, enum reading_way way, enum call call, clockid_t clock,
		  const struct vdso_functions *vdso)
{
	*r = (struct reading){.way = way, .call = call, .clock = clock};
	if (way == READING_NOTHING)
		return true;
	switch (call) {
	case CALL_CLOCK_GETTIME:
		r->function.clock_call = way == READING_LIBC   ? clock_gettime
					 : way == READING_VDSO ? vdso->gettime
							       : syscall_gettime;
		return r->function.clock_call != NULL;
	case CALL_CLOCK_GETRES:
		r->function.clock_call = way == READING_LIBC   ? clock_getres
					 : way == READING_VDSO ? vdso->getres
							       : syscall_getres;
		return r->function.clock_call != NULL;
	case CALL_GETTIMEOFDAY:
		r->function.gettimeofday = way == READING_LIBC	 ? libc_gettimeofday
					   : way == READING_VDSO ? vdso->gettimeofday
								 : syscall_gettimeofday;
		return r->function.gettimeofday != NULL;
	case CALL_TIME:
		r->function.time = way == READING_LIBC	 ? time
				   : way == READING_VDSO ? vdso->time
							 : syscall_time;
		return r->function.time != NULL;
	default:
		return false;
	}
}

/* What was read counts as used, and everything in memory as changed. */
#define KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")

void reading_repeat(const struct reading *r, uint64_t n)
{
	struct reading copy = *r;
	struct timespec ts;
	struct timeval tv;
	time_t t;

	if (copy.way == READING_NOTHING) {
		for (uint64_t i = 0; i < n; i++)
			KEEP(&ts);
	} else if (copy.call == CALL_GETTIMEOFDAY) {
		for (uint64_t i = 0; i < n; i++) {
			copy.function.gettimeofday(&tv, NULL);
			KEEP(&tv);
		}
	} else if (copy.call == CALL_TIME) {
		for (uint64_t i = 0; i < n; i++) {
			copy.function.time(&t);
			KEEP(&t);
		}
	} else {
		for (uint64_t i = 0; i < n; i++) {
			copy.function.clock_call(copy.clock, &ts);
			KEEP(&ts);
		}
	}
}

uint64_t reading_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

static uint64_t elapsed(const struct reading *r, uint64_t n)
{
	uint64_t start = reading_now();
	reading_repeat(r, n);
	return reading_now() - start;
}

uint64_t reading_batch(const struct reading *r, uint64_t batch_ns)
{
	uint64_t n = 1;

	elapsed(r, 1); /* the first call brings its code in */
	while (elapsed(r, n) < batch_ns && n < UINT64_MAX / 2)
		n *= 2;
	return n;
}

void reading_time(const struct reading *r, uint64_t n, double *ns, size_t rounds)
{
	const struct reading nothing = {.way = READING_NOTHING};

	for (size_t i = 0; i < rounds; i++) {
		double empty = (double)elapsed(&nothing, n);
		double took = (double)elapsed(r, n) - empty;
		ns[i] = took > 0 ? took / (double)n : 0;
	}
}
