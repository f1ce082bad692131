// SPDX-License-Identifier: GPL-2.0-only
/*
 * For LD_PRELOAD: a clock_gettime that asks the kernel itself, or, built with
 * -DINNOCENT, one that only calls the next.
 */
#include <dlfcn.h>
#include <time.h>

#include "../../workloads/ways.h"

int clock_gettime(clockid_t clock, struct timespec *ts)
{
#ifdef INNOCENT
	static int (*next)(clockid_t, struct timespec *);

	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	return next(clock, ts);
#else
	return (int)asm_syscall(SYS_clock_gettime, clock, (long)ts);
#endif
}
