// SPDX-License-Identifier: GPL-2.0-only
/* Names and numbers of the clock syscalls, names of the clocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "abi.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static void test_names(void **state)
{
	static const char *const calls[NR_CALL] = {
	    "gettimeofday",	   "time", "clock_gettime", "clock_getres", "clock_gettime64",
	    "clock_getres_time64",
	};

	(void)state;
	for (int call = 0; call < NR_CALL; call++) {
		assert_string_equal(call_name(call), calls[call]);
		assert_int_equal(call_from_name(calls[call]), call);
		assert_int_equal(call_has_clock(call), call >= CALL_CLOCK_GETTIME);
	}
	assert_int_equal(call_from_name("clock_gettime6"), -1);
	assert_int_equal(call_from_name("TIME"), -1);
	assert_int_equal(call_from_name(""), -1);

	assert_string_equal(abi_name(ABI_X86_64), "x86_64");
	assert_string_equal(abi_name(ABI_I386), "i386");
	assert_string_equal(abi_name(ABI_ARM64), "arm64");
	assert_string_equal(abi_name(ABI_ARM), "arm");
	assert_string_equal(via_name(VIA_VDSO), "vdso");
	assert_string_equal(via_name(VIA_DIRECT), "direct");
	assert_string_equal(via_name(VIA_VSYSCALL), "vsyscall");
}

static void test_numbers(void **state)
{
	static const int numbers[NR_ABI][NR_CALL] = {
	    {96, 201, 228, 229, -1, -1},
	    {78, 13, 265, 266, 403, 406},
	    {169, -1, 113, 114, -1, -1},
	    {78, 13, 263, 264, 403, 406},
	};

	(void)state;
	for (int abi = 0; abi < NR_ABI; abi++)
		for (int call = 0; call < NR_CALL; call++)
			assert_int_equal(abi_number(abi, call), numbers[abi][call]);

	/* what this system's headers say of the host's own */
	assert_int_equal(abi_number(abi_host(), CALL_GETTIMEOFDAY), SYS_gettimeofday);
	assert_int_equal(abi_number(abi_host(), CALL_CLOCK_GETTIME), SYS_clock_gettime);
	assert_int_equal(abi_number(abi_host(), CALL_CLOCK_GETRES), SYS_clock_getres);
#ifdef SYS_time
	assert_int_equal(abi_number(abi_host(), CALL_TIME), SYS_time);
#endif
}

static int32_t dynamic(uint32_t n, uint32_t bits)
{
	return (int32_t)(~n << 3 | bits);
}

static void test_clock_names(void **state)
{
	const struct {
		int32_t clock;
		const char *name, *brief;
	} clocks[] = {
	    {CLOCK_REALTIME, "CLOCK_REALTIME", "REALTIME"},
	    {CLOCK_MONOTONIC, "CLOCK_MONOTONIC", "MONOTONIC"},
	    {CLOCK_PROCESS_CPUTIME_ID, "CLOCK_PROCESS_CPUTIME_ID", "PROCESS_CPUTIME_ID"},
	    {CLOCK_THREAD_CPUTIME_ID, "CLOCK_THREAD_CPUTIME_ID", "THREAD_CPUTIME_ID"},
	    {CLOCK_MONOTONIC_RAW, "CLOCK_MONOTONIC_RAW", "MONOTONIC_RAW"},
	    {CLOCK_REALTIME_COARSE, "CLOCK_REALTIME_COARSE", "REALTIME_COARSE"},
	    {CLOCK_MONOTONIC_COARSE, "CLOCK_MONOTONIC_COARSE", "MONOTONIC_COARSE"},
	    {CLOCK_BOOTTIME, "CLOCK_BOOTTIME", "BOOTTIME"},
	    {CLOCK_REALTIME_ALARM, "CLOCK_REALTIME_ALARM", "REALTIME_ALARM"},
	    {CLOCK_BOOTTIME_ALARM, "CLOCK_BOOTTIME_ALARM", "BOOTTIME_ALARM"},
	    {10, "CLOCK_SGI_CYCLE", "SGI_CYCLE"},
	    {CLOCK_TAI, "CLOCK_TAI", "TAI"},
	    {12, "CLOCK(12)", "CLOCK(12)"},
	    {15, "CLOCK(15)", "CLOCK(15)"},
	    {16, "CLOCK_AUX", "AUX"},
	    {17, "CLOCK_AUX+1", "AUX+1"},
	    {23, "CLOCK_AUX+7", "AUX+7"},
	    {24, "CLOCK(24)", "CLOCK(24)"},
	    {99, "CLOCK(99)", "CLOCK(99)"},
	    {INT32_MAX, "CLOCK(2147483647)", "CLOCK(2147483647)"},
	    {dynamic(4711, 2), "CPU(pid 4711)", "CPU(pid 4711)"},
	    {dynamic(4712, 6), "CPU(tid 4712)", "CPU(tid 4712)"},
	    {dynamic(4711, 0), "CPU(pid 4711,prof)", "CPU(pid 4711,prof)"},
	    {dynamic(4711, 1), "CPU(pid 4711,virt)", "CPU(pid 4711,virt)"},
	    {dynamic(4712, 4), "CPU(tid 4712,prof)", "CPU(tid 4712,prof)"},
	    {dynamic(4712, 5), "CPU(tid 4712,virt)", "CPU(tid 4712,virt)"},
	    {dynamic(0, 2), "CPU(pid 0)", "CPU(pid 0)"},
	    {dynamic(7, 3), "FD(7)", "FD(7)"},
	    {dynamic(0, 3), "FD(0)", "FD(0)"},
	    {-1, "CLOCK(-1)", "CLOCK(-1)"},
	    {dynamic(5, 7), "CLOCK(-41)", "CLOCK(-41)"},
	    {INT32_MIN, "CPU(pid 268435455,prof)", "CPU(pid 268435455,prof)"},
	    {INT32_MIN + 3, "FD(268435455)", "FD(268435455)"},
	};
	char buf[CLOCK_NAME];

	(void)state;
	for (size_t i = 0; i < NR(clocks); i++) {
		int32_t clock = clocks[i].clock;

		assert_string_equal(clock_name(buf, sizeof(buf), CALL_CLOCK_GETTIME, clock),
				    clocks[i].name);
		assert_string_equal(clock_name(buf, sizeof(buf), CALL_CLOCK_GETRES_TIME64, clock),
				    clocks[i].name);
		assert_string_equal(clock_short_name(buf, sizeof(buf), CALL_CLOCK_GETRES, clock),
				    clocks[i].brief);
		assert_string_equal(clock_name(buf, sizeof(buf), CALL_GETTIMEOFDAY, clock), "");
		assert_string_equal(clock_short_name(buf, sizeof(buf), CALL_TIME, clock), "");
	}

	assert_string_equal(clock_name(buf, 8, CALL_CLOCK_GETTIME, 1), "CLOCK_M");
	buf[0] = 'x';
	assert_string_equal(clock_name(buf, 1, CALL_CLOCK_GETTIME, 1), "");
}

/* The C library composes the same ids. */
static void test_libc_clock_ids(void **state)
{
	char buf[CLOCK_NAME], expected[CLOCK_NAME];
	clockid_t clock;

	(void)state;
	assert_int_equal(clock_getcpuclockid(getppid(), &clock), 0);
	snprintf(expected, sizeof(expected), "CPU(pid %d)", (int)getppid());
	assert_string_equal(clock_name(buf, sizeof(buf), CALL_CLOCK_GETTIME, clock), expected);

	assert_int_equal(pthread_getcpuclockid(pthread_self(), &clock), 0);
	snprintf(expected, sizeof(expected), "CPU(tid %d)", (int)gettid());
	assert_string_equal(clock_name(buf, sizeof(buf), CALL_CLOCK_GETTIME, clock), expected);
}

static void test_served(void **state)
{
	/* by id: c the counter is read, t the last tick's value, - never served */
	static const char ids[] = "cc--cttc---c----cccccccc--";

	(void)state;
	for (int32_t clock = 0; ids[clock] != '\0'; clock++) {
		for (int call = CALL_CLOCK_GETTIME; call < NR_CALL; call++) {
			bool gettime = call == CALL_CLOCK_GETTIME || call == CALL_CLOCK_GETTIME64;

			assert_int_equal(clock_can_be_served(call, clock), ids[clock] != '-');
			assert_int_equal(clock_reads_counter(call, clock),
					 gettime && ids[clock] == 'c');
		}
	}
	for (uint32_t bits = 0; bits < 8; bits++) {
		assert_false(clock_can_be_served(CALL_CLOCK_GETTIME, dynamic(1, bits)));
		assert_false(clock_reads_counter(CALL_CLOCK_GETTIME, dynamic(1, bits)));
	}
	assert_true(clock_can_be_served(CALL_GETTIMEOFDAY, 2));
	assert_true(clock_can_be_served(CALL_TIME, 2));
	assert_true(clock_reads_counter(CALL_GETTIMEOFDAY, 2));
	assert_false(clock_reads_counter(CALL_TIME, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names),	cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_clock_names), cmocka_unit_test(test_libc_clock_ids),
	    cmocka_unit_test(test_served),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
