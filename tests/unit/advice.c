// SPDX-License-Identifier: GPL-2.0-only
/* What is said of a host and of a call. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "abi.h"
#include "advice.h"
#include "attempt.h"

/* Every word of `needles`, separated by "|", stands in the text; with a "!" in
 * front it must not. */
static void says(const struct buffer *text, const char *needles)
{
	char *copy = strdup(needles), *save, *word;

	assert_non_null(copy);
	for (word = strtok_r(copy, "|", &save); word; word = strtok_r(NULL, "|", &save)) {
		bool must = word[0] != '!';

		if ((strstr(buffer_string(text), must ? word : word + 1) != NULL) != must)
			fail_msg("\"%s\" of:\n%s", word, buffer_string(text));
	}
	free(copy);
}

struct host_row {
	const char *clocksource, *available, *cmdline, *hypervisor;
	enum cause cause;
	bool refused;
	const char *causes, *evidence, *remedy;
};

static const struct host_row host_rows[] = {
    /* A healthy host needs no words. */
    {"tsc", "tsc hpet acpi_pm", "", "", CAUSE_UNKNOWN, false, "!a", "!a", "!a"},
    {"hpet", "tsc hpet acpi_pm", "", "", CAUSE_CLOCKSOURCE, false, "hpet cannot be read", "!a",
     "$ echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource|"
     "$ cat /sys|most likely|add clocksource=tsc to|did not, for then|1,390,612|0.93 CPU|"
     "!acpi_pm"},
    {"hpet", "tsc hpet acpi_pm", "clocksource=hpet", "", CAUSE_CLOCKSOURCE, false, "hpet", "!a",
     "replace clocksource=hpet by clocksource=tsc"},
    {"hpet", "tsc hpet", "clocksource=tsc", "", CAUSE_CLOCKSOURCE, false, "hpet",
     "clocksource=tsc was asked for|switched since, or the kernel refused",
     "echo tsc|clocksource=tsc is on the kernel command line already"},
    {"hpet", "tsc hpet", "tsc=reliable", "", CAUSE_CLOCKSOURCE, false, "hpet", "!a",
     "Risk: the kernel was booted with tsc=reliable"},
    {"hpet", "tsc hpet", "", "", CAUSE_CLOCKSOURCE, true, "hpet",
     "still says hpet|the kernel refused it", "echo tsc"},
    /* What is not available is not recommended. */
    {"hpet", "hpet acpi_pm", "clocksource=tsc", "", CAUSE_CLOCKSOURCE, false, "hpet",
     "refused it: it is not available",
     "No available clocksource (hpet acpi_pm)|dmesg | grep -i -e tsc|!echo"},
    {"hpet", "hpet acpi_pm", "tsc=unstable", "", CAUSE_CLOCKSOURCE, false, "hpet", "!a",
     "booted with tsc=unstable|remove that|!echo"},
    {"acpi_pm", "acpi_pm", "notsc", "KVM", CAUSE_CLOCKSOURCE, false, "acpi_pm", "!a",
     "booted with notsc|its host (KVM)|!echo"},
    /* A name is no proof. */
    {"xen", "xen tsc", "", "Xen", CAUSE_CLOCKSOURCE, false, "only while the hypervisor says", "!a",
     "echo tsc"},
    {"hpet", "kvm-clock hpet", "", "KVM", CAUSE_CLOCKSOURCE, false, "hpet", "!a",
     "echo kvm-clock|if the hypervisor says that it is stable|clocktop check"},
    {"tsc", "tsc hpet", "", "", CAUSE_CLOCKSOURCE, false, "does not read it here", "!a",
     "No available clocksource|!echo"},
    {"something", "something jiffies", "", "", CAUSE_CLOCKSOURCE, false, "something cannot", "!a",
     "!echo"},
    /* No vDSO for anybody. */
    {"tsc", "tsc", "vdso=0", "", CAUSE_NO_VDSO, false, "maps no vDSO", "!a", "Remove vdso=0|!echo"},
    {"tsc", "tsc", "", "", CAUSE_NO_VDSO, false, "maps no vDSO", "!a", "vdso=0 is not on"},
};

static void hosts(void **state)
{
	const struct advice_gain gain = {.calls = 1390612, .cpu = 0.93};
	struct advice a = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(host_rows) / sizeof(host_rows[0]); i++) {
		const struct host_row *r = &host_rows[i];
		struct health h = {.cause = r->cause};
		struct host host = {.cpus = 1};

		snprintf(host.clocksource, sizeof(host.clocksource), "%s", r->clocksource);
		snprintf(host.available, sizeof(host.available), "%s", r->available);
		snprintf(host.cmdline, sizeof(host.cmdline), "%s", r->cmdline);
		snprintf(host.hypervisor, sizeof(host.hypervisor), "%s", r->hypervisor);
		advice_clear(&a);
		advice_host(&a, &host, &h, &gain, r->refused);
		says(&a.cause, r->causes);
		says(&a.evidence, r->evidence);
		if (strstr(r->remedy, "dmesg | grep")) { /* the "|" is the shell's */
			says(&a.remedy, "dmesg");
			says(&a.remedy, " grep -i -e tsc -e clocksource");
		} else {
			says(&a.remedy, r->remedy);
		}
	}
	advice_free(&a);
}

static void gains_are_said_as_far_as_known(void **state)
{
	struct host host = {.clocksource = "hpet", .available = "tsc hpet"};
	struct health h = {.cause = CAUSE_CLOCKSOURCE};
	struct advice_gain gain = {.calls = 12, .cpu = NAN};
	struct advice a = {0};

	(void)state;
	advice_host(&a, &host, &h, &gain, false);
	says(&a.remedy, "About 12 clock syscalls/s would go away.|!CPU");
	advice_clear(&a);
	gain.cpu = 0.001;
	advice_host(&a, &host, &h, &gain, false);
	says(&a.remedy, "less than 0.01 CPU");
	advice_clear(&a);
	gain = (struct advice_gain){0};
	advice_host(&a, &host, &h, &gain, false);
	says(&a.remedy, "!go away");
	advice_free(&a);
}

struct call_row {
	struct finding f;
	struct record r;
	const char *causes, *evidence, *remedy;
};

#define CAUSE(c) .verdict = {.cause = (c)}
#define SITE(path_, symbol_, exe_) .site = {.path = (path_), .symbol = (symbol_), .exe = (exe_)}
#define GETTIME(clock_) .call = CALL_CLOCK_GETTIME, .clock = (clock_)

static const struct call_row call_rows[] = {
    {{CAUSE(CAUSE_CLOCK_ID)},
     {GETTIME(2), .calls = {.count = 5}},
     "CPU-time",
     "!a",
     "Another clocksource will not help"},
    {{CAUSE(CAUSE_CLOCK_ID)}, {GETTIME(9)}, "alarm clocks", "!a", "Read CLOCK_BOOTTIME"},
    {{CAUSE(CAUSE_CLOCK_ID)}, {GETTIME(-5)}, "device (PTP)", "!a", "CLOCK_TAI"},
    {{CAUSE(CAUSE_CLOCK_ID)},
     {GETTIME(6)},
     "This kernel's vDSO serves CLOCK_MONOTONIC_COARSE on no",
     "!a",
     "another clock"},
    {{CAUSE(CAUSE_INVALID_CLOCK)},
     {GETTIME(99), .calls = {.count = 7, .errors = 7, .einval = 7, .last_outcome = EINVAL}},
     "no such clock",
     "7 of 7 calls failed: 7 EINVAL.",
     "Fix the program"},
    {{CAUSE(CAUSE_INVALID_CLOCK)}, {GETTIME(8)}, "RTC", "!a", "Read CLOCK_REALTIME"},
    {{CAUSE(CAUSE_INVALID_CLOCK)}, {GETTIME(17)}, "auxiliary", "!a", "Enable it"},
    {{CAUSE(CAUSE_INVALID_CLOCK)}, {GETTIME(-6)}, "no such task", "!a", "only ended before"},
    {{CAUSE(CAUSE_INVALID_CLOCK)}, {GETTIME(-5)}, "descriptor", "!a", "Fix the program"},
    {{CAUSE(CAUSE_DENIED), .evidence.seccomp = FACT_YES},
     {GETTIME(1), .via = VIA_DIRECT,
      .calls = {.count = 9, .errors = 9, .other = 8, .rolled_back = 1, .last_outcome = EPERM}},
     "refuses clock_gettime",
     "1 rolled back|8 otherwise, last EPERM|filter is installed",
     "installs"},
    {{CAUSE(CAUSE_DENIED)},
     {.call = CALL_CLOCK_GETTIME64, .abi = ABI_I386},
     "clock_gettime64",
     "!a b",
     "libseccomp (2.4.2"},
    {{CAUSE(CAUSE_DENIED)},
     {GETTIME(1), .container = "0123456789ab"},
     "refuses",
     "!a b",
     "container's seccomp profile"},
    {{CAUSE(CAUSE_DENIED)},
     {GETTIME(1), .calls = {.count = 1, .errors = 1, .other = 1, .last_outcome = OUTCOME_POSITIVE}},
     "refuses",
     "a positive answer",
     "filter"},
    {{CAUSE(CAUSE_DENIED)},
     {GETTIME(1), .calls = {.count = 1, .errors = 1, .other = 1, .last_outcome = 4000}},
     "refuses",
     "last errno 4000",
     "filter"},
    {{CAUSE(CAUSE_NO_VDSO), .tool = "valgrind", .vdso = WHERE_VDSO_UNMAPPED, .looked = true},
     {GETTIME(1), .via = VIA_DIRECT, .object = "memcheck"},
     "valgrind",
     "runs under valgrind",
     "expected under valgrind"},
    {{CAUSE(CAUSE_NO_VDSO), .vdso = WHERE_VDSO_UNMAPPED, .exe = "/opt/x\033[2J", .looked = true},
     {GETTIME(1), .via = VIA_DIRECT, .object = ""},
     "was unmapped",
     "it is unmapped",
     "/opt/x\\e[2J"},
    {{CAUSE(CAUSE_NO_VDSO), .vdso = WHERE_VDSO_NONE, .exe = "", .looked = true},
     {.call = CALL_CLOCK_GETTIME64, .abi = ABI_I386, .via = VIA_DIRECT, .object = ""},
     "no vDSO",
     "no vDSO",
     "Remove vdso32=0"},
    {{CAUSE(CAUSE_VDSO_MODIFIED), .vdso = WHERE_VDSO_MAPPED, .evidence.vdso_genuine = FACT_NO,
      .looked = true, .tracer = 77},
     {GETTIME(1)},
     "patched it",
     "not the kernel's|traced by pid 77",
     "recorder"},
    {{CAUSE(CAUSE_VDSO_MODIFIED), .tool = "rr", .looked = true},
     {GETTIME(1)},
     "rr patched",
     "rr",
     "expected under rr"},
    {{CAUSE(CAUSE_LIBC), SITE("/lib/libc.so", "clock_getres", false), .looked = true},
     {.call = CALL_CLOCK_GETRES, .clock = 1, .via = VIA_DIRECT, .object = "libc.so"},
     "makes clock_getres a syscall",
     "in clock_getres of /lib/libc.so.",
     "does not change"},
    {{CAUSE(CAUSE_LIBC), SITE("/bin/x", "time", true), .looked = true},
     {.call = CALL_TIME, .via = VIA_DIRECT, .object = "x"},
     "time a syscall",
     "/bin/x, the program itself",
     "linked into the program"},
    {{CAUSE(CAUSE_DIRECT), SITE("/lib/libc.so.6", "syscall", false),
      .evidence.caller = CALLER_LIBC_SYSCALL, .looked = true},
     {.call = CALL_GETTIMEOFDAY, .via = VIA_DIRECT, .object = "libc.so.6"},
     "syscall(2)",
     "in syscall of",
     "gettimeofday() instead"},
    {{CAUSE(CAUSE_DIRECT), SITE("/bin/x", "read_it", true), .evidence.caller = CALLER_PROGRAM,
      .looked = true},
     {GETTIME(1), .via = VIA_DIRECT, .object = "x",
      .calls = {.count = 3, .errors = 2, .efault = 2, .last_outcome = EFAULT}},
     "itself, past the libc",
     "2 of 3 calls failed: 2 EFAULT (bad pointer)",
     "clock_gettime() instead|fix the pointer"},
    {{CAUSE(CAUSE_DIRECT), SITE("/a/b\n\xff", "f\x1b", true), .evidence.caller = CALLER_PROGRAM,
      .looked = true},
     {GETTIME(1), .via = VIA_DIRECT, .object = "b"},
     "itself, past the libc",
     "f\\e of /a/b\\n\\xff, the program",
     "clock_gettime() instead"},
    {{CAUSE(CAUSE_DIRECT), SITE("", "", false), .evidence.caller = CALLER_ANON, .looked = true},
     {GETTIME(1), .via = VIA_DIRECT, .object = "[anon]"},
     "JIT",
     "memory without a file",
     "clock_gettime()"},
    {{CAUSE(CAUSE_VSYSCALL)},
     {.call = CALL_TIME, .via = VIA_VSYSCALL},
     "legacy vsyscall",
     "!a b",
     "Rebuild"},
    {{.verdict = {CAUSE_UNKNOWN, MISSING_CALLER}, SITE("", "", false), .gone = true},
     {GETTIME(1), .via = VIA_DIRECT, .object = "prog"},
     "whose code made the call",
     "lies in prog|ended before it could be looked at",
     "again"},
    {{.verdict = {CAUSE_UNKNOWN, MISSING_MAPS}, SITE("", "", false), .looked_errno = EACCES},
     {GETTIME(1), .via = VIA_DIRECT, .object = ""},
     "whether a vDSO is mapped",
     "CAP_SYS_PTRACE",
     "privileges"},
    {{.verdict = {CAUSE_UNKNOWN, MISSING_MAPS}, SITE("", "", false), .looked_errno = ETIMEDOUT},
     {GETTIME(1), .via = VIA_DIRECT, .object = ""},
     "whether",
     "timed out",
     "again"},
    {{CAUSE(CAUSE_CLOCKSOURCE), .clocksource = "hpet", .evidence.unserved_in_interval = true,
      .evidence.served = SERVED_YES, .looked = true},
     {GETTIME(1)},
     "While these calls were made, the clocksource hpet",
     "!a b",
     "None: tsc is in force now"},
    {{CAUSE(CAUSE_CLOCKSOURCE), .clocksource = "tsc", .evidence.served = SERVED_YES,
      .looked = true},
     {GETTIME(1)},
     "for moments",
     "!a b",
     "dmesg"},
    {{CAUSE(CAUSE_CLOCKSOURCE), .clocksource = "hpet", .evidence.served = SERVED_NO,
      .looked = true},
     {GETTIME(1)},
     "hpet is not read in user space",
     "!a b",
     "see the host"},
};

static void calls(void **state)
{
	const struct host host = {
	    .clocksource = "tsc", .available = "tsc hpet", .cmdline = "vdso32=0"};
	struct advice a = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(call_rows) / sizeof(call_rows[0]); i++) {
		struct finding f = call_rows[i].f;
		struct record r = call_rows[i].r;

		f.site.path = f.site.path ? f.site.path : "";
		f.site.symbol = f.site.symbol ? f.site.symbol : "";
		f.exe = f.exe ? f.exe : "";
		r.object = r.object ? r.object : "";
		advice_clear(&a);
		advice_call(&a, &f, &r, &host, true);
		says(&a.cause, call_rows[i].causes);
		says(&a.evidence, call_rows[i].evidence);
		says(&a.remedy, call_rows[i].remedy);
		assert_false(a.cause.failed || a.evidence.failed || a.remedy.failed);
	}
	advice_free(&a);
}

static void equal_advice_is_known(void **state)
{
	struct advice a = {0}, b = {0};

	(void)state;
	assert_true(advice_equal(&a, &b));
	buffer_text(&a.remedy, "x");
	assert_false(advice_equal(&a, &b));
	buffer_text(&b.remedy, "x");
	assert_true(advice_equal(&a, &b));
	advice_free(&a);
	advice_free(&b);
}

static void write_file(const char *path)
{
	int fd = open(path, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "tsc\n", 4), 4);
	close(fd);
}

static void refused_attempts_are_seen(void **state)
{
	char path[] = "/tmp/clocktop-unit-XXXXXX";
	int fd = mkstemp(path);
	struct attempt a;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	attempt_open(&a, path, "hpet");
	assert_false(attempt_refused(&a, "hpet"));
	write_file(path);
	assert_true(attempt_refused(&a, "hpet"));
	assert_true(attempt_refused(&a, "hpet")); /* until it changes */
	assert_false(attempt_refused(&a, "tsc"));
	write_file(path); /* written and changed: not refused */
	assert_false(attempt_refused(&a, "hpet"));
	attempt_close(&a);
	assert_false(attempt_refused(&a, "hpet"));
	assert_int_equal(unlink(path), 0);
	attempt_open(&a, path, "hpet"); /* nothing to watch */
	assert_false(attempt_refused(&a, "hpet"));
	attempt_close(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(hosts),
	    cmocka_unit_test(gains_are_said_as_far_as_known),
	    cmocka_unit_test(calls),
	    cmocka_unit_test(equal_advice_is_known),
	    cmocka_unit_test(refused_attempts_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
