// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks the vDSO what it serves.  A seccomp filter belongs to a thread, and
 * goes when it ends; so a thread of its own takes the filter, and the rest
 * of the program is not touched.  no_new_privs, without which an
 * unprivileged thread may not install one, is the thread's own as well.
 */
#include "served.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi.h"
#include "reading.h"
#include "stats.h"
#include "vdso.h"

#if defined(__x86_64__)
#define FILTER_ARCH AUDIT_ARCH_X86_64
#else
#define FILTER_ARCH AUDIT_ARCH_AARCH64
#endif

/* The filter's own error: no kernel function answers with it. */
#define REFUSED 4001

/* A measurement: five batches of at least this long. */
#define MEASURE_NS 12000
#define MEASURE_ROUNDS 5

struct question {
	struct served *served;
	const struct vdso_functions *vdso;
	bool again; /* only what can have changed */
	int error;
};

/* Refuses this thread the clock syscalls from now on.  0 or -errno. */
static int refuse_clock_syscalls(void)
{
	static struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FILTER_ARCH, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_time
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_time, 4, 0),
#endif
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_gettimeofday, 3, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 2, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_getres, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | REFUSED),
	};
	static const struct sock_fprog filter = {
	    .len = sizeof(code) / sizeof(code[0]),
	    .filter = code,
	};
	struct timespec ts;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -errno;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
		return -errno;
	/* A filter that does not bite would make every clock look served. */
	if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &ts) == 0 || errno != REFUSED)
		return -ENOSYS;
	return 0;
}

static unsigned char state(long answer)
{
	return answer == -REFUSED ? SERVED_NO : SERVED_YES;
}

/* Clocks of which the answer depends on the clocksource. */
static bool can_change(const struct served *s, clockid_t clock)
{
	return s->exists[clock] && clock_reads_counter(CALL_CLOCK_GETTIME, clock);
}

/* The thread: every answer other than the filter's was given in user space. */
static void *ask(void *arg)
{
	struct question *q = arg;
	const struct vdso_functions *vdso = q->vdso;
	struct served *s = q->served;
	struct timespec ts;
	struct timeval tv;
	time_t t;

	q->error = refuse_clock_syscalls();
	if (q->error)
		return NULL;
	for (clockid_t i = 0; i < NR_CLOCKS; i++) {
		if (!q->again || can_change(s, i))
			s->gettime[i] = vdso->gettime ? state(vdso->gettime(i, &ts)) : SERVED_NO;
		if (!q->again)
			s->getres[i] = vdso->getres ? state(vdso->getres(i, &ts)) : SERVED_NO;
	}
	s->gettimeofday = vdso->gettimeofday ? state(vdso->gettimeofday(&tv, NULL)) : SERVED_NO;
	if (!q->again)
		s->time = vdso->time ? state(vdso->time(&t)) : SERVED_NO;
	return NULL;
}

/* Asks in a thread of its own.  0 or -errno. */
static int ask_in_thread(struct question *q)
{
	sigset_t all, old;
	pthread_t thread;

	/* The thread inherits the mask: no handler of the program runs in it. */
	sigfillset(&all);
	int error = pthread_sigmask(SIG_BLOCK, &all, &old);
	if (error)
		return -error;
	error = pthread_create(&thread, NULL, ask, q);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error)
		return -error;
	error = pthread_join(thread, NULL);
	return error ? -error : q->error;
}

int served_ask(struct served *s)
{
	struct vdso vdso;
	struct vdso_functions functions;
	struct question q = {.served = s, .vdso = &functions};
	struct timespec ts;

	memset(s, 0, sizeof(*s));
	s->has_vdso = vdso_own(&vdso);
	vdso_functions(&vdso, &functions);
	for (clockid_t i = 0; i < NR_CLOCKS; i++)
		s->exists[i] = syscall(SYS_clock_gettime, i, &ts) == 0;
	return ask_in_thread(&q);
}

int served_ask_again(struct served *s, const struct served *before)
{
	struct vdso vdso;
	struct vdso_functions functions;
	struct served now = *before;
	struct question q = {.served = &now, .vdso = &functions, .again = true};

	*s = *before;
	now.has_vdso = vdso_own(&vdso);
	vdso_functions(&vdso, &functions);
	int error = ask_in_thread(&q);
	if (!error)
		*s = now;
	return error;
}

/* The median cost of one way, or NAN where there is no such way. */
static double measure(enum reading_way way, enum call call, clockid_t clock,
		      const struct vdso_functions *vdso)
{
	struct reading r;
	double ns[MEASURE_ROUNDS];

	if (!reading_init(&r, way, call, clock, vdso))
		return NAN;
	reading_time(&r, reading_batch(&r, MEASURE_NS), ns, MEASURE_ROUNDS);
	return stats_median(ns, MEASURE_ROUNDS);
}

void served_measure(struct served_cost *c, const struct served *s)
{
	struct vdso vdso;
	struct vdso_functions f;
	struct timespec resolution;
	double refusal = NAN;

	*c = (struct served_cost){
	    .vdso_gettimeofday = NAN,
	    .syscall_gettimeofday = NAN,
	    .vdso_time = NAN,
	    .syscall_time = NAN,
	    .syscall_getres = NAN,
	};
	for (clockid_t i = 0; i < NR_CLOCKS; i++)
		c->vdso_gettime[i] = c->syscall_gettime[i] = NAN;
	if (clock_getres(CLOCK_MONOTONIC, &resolution) != 0 || resolution.tv_sec != 0 ||
	    resolution.tv_nsec > MEASURE_NS / 10)
		return;

	vdso_own(&vdso);
	vdso_functions(&vdso, &f);
	for (clockid_t i = 0; i < NR_CLOCKS; i++) {
		if (s->exists[i]) {
			c->vdso_gettime[i] = measure(READING_VDSO, CALL_CLOCK_GETTIME, i, &f);
			c->syscall_gettime[i] = measure(READING_SYSCALL, CALL_CLOCK_GETTIME, i, &f);
			continue;
		}
		if (isnan(refusal))
			refusal = measure(READING_SYSCALL, CALL_CLOCK_GETTIME, i, &f);
		c->syscall_gettime[i] = refusal;
	}
	c->vdso_gettimeofday = measure(READING_VDSO, CALL_GETTIMEOFDAY, 0, &f);
	c->syscall_gettimeofday = measure(READING_SYSCALL, CALL_GETTIMEOFDAY, 0, &f);
	c->vdso_time = measure(READING_VDSO, CALL_TIME, 0, &f);
	c->syscall_time = measure(READING_SYSCALL, CALL_TIME, 0, &f);
	c->syscall_getres = measure(READING_SYSCALL, CALL_CLOCK_GETRES, CLOCK_MONOTONIC, &f);
}

enum served_state served_state(const struct served *s, enum call call, int32_t clock)
{
	bool listed = clock >= 0 && clock < NR_CLOCKS;

	switch (call) {
	case CALL_GETTIMEOFDAY:
		return s->gettimeofday;
	case CALL_TIME:
		return s->time;
	case CALL_CLOCK_GETTIME:
	case CALL_CLOCK_GETTIME64:
		if (listed)
			return s->gettime[clock];
		break;
	case CALL_CLOCK_GETRES:
	case CALL_CLOCK_GETRES_TIME64:
		if (listed)
			return s->getres[clock];
		break;
	case NR_CALL:
		break;
	}
	/* Clocks of other tasks, of files, and ids that no kernel has: a vDSO passes
	 * every id beyond its list on (lib/vdso/gettimeofday.c, MAX_CLOCKS). */
	return SERVED_NO;
}

double served_syscall_cost(const struct served_cost *c, enum call call, int32_t clock)
{
	switch (call) {
	case CALL_GETTIMEOFDAY:
		return c->syscall_gettimeofday;
	case CALL_TIME:
		return c->syscall_time;
	case CALL_CLOCK_GETTIME:
	case CALL_CLOCK_GETTIME64:
		return clock >= 0 && clock < NR_CLOCKS ? c->syscall_gettime[clock] : NAN;
	case CALL_CLOCK_GETRES:
	case CALL_CLOCK_GETRES_TIME64:
		return c->syscall_getres;
	case NR_CALL:
		break;
	}
	return NAN;
}

bool served_equal(const struct served *a, const struct served *b)
{
	return a->has_vdso == b->has_vdso && a->gettimeofday == b->gettimeofday &&
	       a->time == b->time && memcmp(a->gettime, b->gettime, sizeof(a->gettime)) == 0 &&
	       memcmp(a->getres, b->getres, sizeof(a->getres)) == 0 &&
	       memcmp(a->exists, b->exists, sizeof(a->exists)) == 0;
}
