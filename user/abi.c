// SPDX-License-Identifier: GPL-2.0-only
#include "abi.h"

#include <stdio.h>
#include <string.h>

static const char *const abi_names[NR_ABI] = {
    [ABI_X86_64] = "x86_64",
    [ABI_I386] = "i386",
    [ABI_ARM64] = "arm64",
    [ABI_ARM] = "arm",
};

static const char *const via_names[NR_VIA] = {
    [VIA_VDSO] = "vdso",
    [VIA_DIRECT] = "direct",
    [VIA_VSYSCALL] = "vsyscall",
};

static const char *const call_names[NR_CALL] = {
    [CALL_GETTIMEOFDAY] = "gettimeofday",	[CALL_TIME] = "time",
    [CALL_CLOCK_GETTIME] = "clock_gettime",	[CALL_CLOCK_GETRES] = "clock_getres",
    [CALL_CLOCK_GETTIME64] = "clock_gettime64", [CALL_CLOCK_GETRES_TIME64] = "clock_getres_time64",
};

/* x86_64: syscall_64.tbl, i386: syscall_32.tbl, arm64: asm-generic/unistd.h,
 * arm: arch/arm/tools/syscall.tbl, where `time` belongs to the old ABI. */
static const int numbers[NR_ABI][NR_CALL] = {
    /*               gettimeofday time gettime getres gettime64 getres64 */
    [ABI_X86_64] = {96, 201, 228, 229, -1, -1},
    [ABI_I386] = {78, 13, 265, 266, 403, 406},
    [ABI_ARM64] = {169, -1, 113, 114, -1, -1},
    [ABI_ARM] = {78, 13, 263, 264, 403, 406},
};

/* How the vDSO treats a clock, by id: the bit masks of lib/vdso. */
enum served_as {
	SERVED_NEVER,
	SERVED_COUNTER, /* VDSO_HRES, VDSO_RAW, VDSO_AUX */
	SERVED_COARSE,	/* VDSO_COARSE: the value of the last tick */
};

#define AUX_FIRST 16 /* CLOCK_AUX, since Linux 6.17 */
#define AUX_LAST 23

static const struct {
	const char *name;
	enum served_as served;
} clocks[] = {
    [0] = {"CLOCK_REALTIME", SERVED_COUNTER},
    [1] = {"CLOCK_MONOTONIC", SERVED_COUNTER},
    [2] = {"CLOCK_PROCESS_CPUTIME_ID", SERVED_NEVER},
    [3] = {"CLOCK_THREAD_CPUTIME_ID", SERVED_NEVER},
    [4] = {"CLOCK_MONOTONIC_RAW", SERVED_COUNTER},
    [5] = {"CLOCK_REALTIME_COARSE", SERVED_COARSE},
    [6] = {"CLOCK_MONOTONIC_COARSE", SERVED_COARSE},
    [7] = {"CLOCK_BOOTTIME", SERVED_COUNTER},
    [8] = {"CLOCK_REALTIME_ALARM", SERVED_NEVER},
    [9] = {"CLOCK_BOOTTIME_ALARM", SERVED_NEVER},
    [10] = {"CLOCK_SGI_CYCLE", SERVED_NEVER},
    [11] = {"CLOCK_TAI", SERVED_COUNTER},
};

#define NR_NAMED (sizeof(clocks) / sizeof(clocks[0]))
#define PREFIX "CLOCK_"

enum abi abi_host(void)
{
#if defined(__x86_64__)
	return ABI_X86_64;
#elif defined(__aarch64__)
	return ABI_ARM64;
#else
#error "clocktop knows x86-64 and arm64"
#endif
}

const char *abi_name(enum abi abi)
{
	return abi_names[abi];
}

const char *call_name(enum call call)
{
	return call_names[call];
}

int call_from_name(const char *name)
{
	for (int call = 0; call < NR_CALL; call++)
		if (strcmp(name, call_names[call]) == 0)
			return call;
	return -1;
}

bool call_has_clock(enum call call)
{
	return call != CALL_GETTIMEOFDAY && call != CALL_TIME;
}

const char *via_name(enum via via)
{
	return via_names[via];
}

int abi_number(enum abi abi, enum call call)
{
	return numbers[abi][call];
}

/* A negative id is (~n << 3) | bits: n is a pid, a tid or a descriptor. */
static void dynamic_clock_name(char *buf, size_t size, int32_t clock)
{
	static const char *const kind[] = {",prof", ",virt", "" /* sched */};
	unsigned int n = ~(uint32_t)clock >> 3;
	unsigned int bits = (uint32_t)clock & 7;

	if (bits == 3)
		snprintf(buf, size, "FD(%u)", n);
	else if (bits == 7) /* neither: the kernel knows no such clock */
		snprintf(buf, size, "CLOCK(%d)", clock);
	else
		snprintf(buf, size, "CPU(%s %u%s)", bits & 4 ? "tid" : "pid", n, kind[bits & 3]);
}

char *clock_name(char *buf, size_t size, enum call call, int32_t clock)
{
	if (!call_has_clock(call))
		snprintf(buf, size, "%s", "");
	else if (clock < 0)
		dynamic_clock_name(buf, size, clock);
	else if ((size_t)clock < NR_NAMED)
		snprintf(buf, size, "%s", clocks[clock].name);
	else if (clock == AUX_FIRST)
		snprintf(buf, size, "CLOCK_AUX");
	else if (clock > AUX_FIRST && clock <= AUX_LAST)
		snprintf(buf, size, "CLOCK_AUX+%d", clock - AUX_FIRST);
	else
		snprintf(buf, size, "CLOCK(%d)", clock);
	return buf;
}

char *clock_short_name(char *buf, size_t size, enum call call, int32_t clock)
{
	char name[CLOCK_NAME];
	const char *start = clock_name(name, sizeof(name), call, clock);

	if (strncmp(start, PREFIX, strlen(PREFIX)) == 0)
		start += strlen(PREFIX);
	snprintf(buf, size, "%s", start);
	return buf;
}

static enum served_as served_as(int32_t clock)
{
	if (clock >= 0 && (size_t)clock < NR_NAMED)
		return clocks[clock].served;
	if (clock >= AUX_FIRST && clock <= AUX_LAST)
		return SERVED_COUNTER;
	return SERVED_NEVER;
}

bool clock_can_be_served(enum call call, int32_t clock)
{
	return !call_has_clock(call) || served_as(clock) != SERVED_NEVER;
}

bool clock_reads_counter(enum call call, int32_t clock)
{
	switch (call) {
	case CALL_GETTIMEOFDAY:
		return true;
	case CALL_CLOCK_GETTIME:
	case CALL_CLOCK_GETTIME64:
		return served_as(clock) == SERVED_COUNTER;
	default:
		return false;
	}
}
