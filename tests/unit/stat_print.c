// SPDX-License-Identifier: GPL-2.0-only
/* What stat prints, byte for byte. */
#include "stat_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct stat_style style = {.host_event = "raw_syscalls:sys_exit", .utf8 = false};

static struct record record(uint32_t pid, const char *comm, enum call call, enum via via,
			    uint64_t count, uint64_t errors)
{
	struct record r = {
	    .proc = {.pid = pid, .start_ns = pid},
	    .tid = pid + 1,
	    .call = call,
	    .via = via,
	    .calls = {.count = count, .errors = errors},
	};

	snprintf(r.comm, sizeof(r.comm), "%s", comm);
	return r;
}

/* The day of the mission, twice. */
static void fill(struct stat_counts *c, enum stat_rows kind)
{
	struct record records[] = {
	    record(4711, "java", CALL_GETTIMEOFDAY, VIA_VDSO, 1390840, 0),
	    record(9120, "python\n3", CALL_CLOCK_GETTIME, VIA_VDSO, 100, 3),
	    record(2210, "postgres", CALL_CLOCK_GETTIME, VIA_DIRECT, 39, 0),
	};
	struct interval iv = {
	    .seconds = 1.000159, .host_calls = 1391118, .records = records, .nr = 3};

	stat_counts_init(c, kind);
	assert_int_equal(stat_counts_add(c, &iv), 0);
	iv.seconds = 0.999841;
	records[0].calls.count = 0;
	iv.nr = 3;
	iv.host_calls = 139;
	assert_int_equal(stat_counts_add(c, &iv), 0);
}

static void assert_interval(const struct stat_counts *c, bool heading, const char *expected)
{
	struct buffer out = {0};

	stat_print_interval(&out, &style, c, heading);
	assert_false(out.failed);
	assert_string_equal(buffer_string(&out), expected);
	buffer_free(&out);
}

static void assert_summary(const struct stat_counts *c, const char *expected)
{
	struct buffer out = {0};

	stat_print_summary(&out, &style, c, "the host");
	assert_false(out.failed);
	assert_string_equal(buffer_string(&out), expected);
	buffer_free(&out);
}

static void test_people(void **state)
{
	struct stat_counts c;

	(void)state;
	fill(&c, STAT_NO_ROWS);
	assert_interval(&c, true,
			"#        time       counts  event                         rate   of host\n"
			"     2.000000          139  clock_gettime             139   /s  100.00 %\n"
			"     2.000000          139  raw_syscalls:sys_exit     139   /s\n");
	assert_summary(&c, "\n Clock syscalls of the host in 2.000000 s:\n\n"
			   "    1,390,840  gettimeofday           695.420 K/s   99.97 % of host   "
			   "fallbacks 100.0 %\n"
			   "          278  clock_gettime             139   /s    0.02 % of host   "
			   "fallbacks  71.9 %   errors 6\n"
			   "    1,391,257  raw_syscalls:sys_exit  695.629 K/s\n\n");
	stat_counts_free(&c);
}

/* Calls that the tracepoint does not see are a part of all, too. */
static void test_vsyscall_page(void **state)
{
	struct record records[] = {record(77, "old", CALL_TIME, VIA_VSYSCALL, 60, 0)};
	struct interval iv = {
	    .seconds = 2, .host_calls = 20, .page_calls = 60, .records = records, .nr = 1};
	struct stat_counts c;

	(void)state;
	stat_counts_init(&c, STAT_NO_ROWS);
	assert_int_equal(stat_counts_add(&c, &iv), 0);
	assert_interval(&c, false,
			"     2.000000           60  time                      30.0  /s   75.00 %\n"
			"     2.000000           20  raw_syscalls:sys_exit     10.0  /s\n");
	stat_counts_free(&c);
}

static void test_rows(void **state)
{
	struct stat_counts c;

	(void)state;
	fill(&c, STAT_PROCESSES);
	assert_interval(
	    &c, false,
	    "     2.000000          139  clock_gettime                     139   /s  100.00 %\n"
	    "     2.000000          100    9120 python\\n3                  100   /s   71.94 %\n"
	    "     2.000000           39    2210 postgres                   39.0  /s   28.06 %\n"
	    "     2.000000          139  raw_syscalls:sys_exit             139   /s\n");
	stat_counts_free(&c);
	fill(&c, STAT_THREADS);
	style.min_rate = 100;
	assert_interval(
	    &c, false,
	    "     2.000000          139  clock_gettime                     139   /s  100.00 %\n"
	    "     2.000000          100    9120/9121 python\\n3             100   /s   71.94 %\n"
	    "     2.000000          139  raw_syscalls:sys_exit             139   /s\n");
	style.min_rate = 0;
	stat_counts_free(&c);
	fill(&c, STAT_CONTAINERS);
	assert_interval(
	    &c, false,
	    "     2.000000          139  clock_gettime                     139   /s  100.00 %\n"
	    "     2.000000          139    (none)                          139   /s  100.00 %\n"
	    "     2.000000          139  raw_syscalls:sys_exit             139   /s\n");
	stat_counts_free(&c);
}

static void test_machine(void **state)
{
	struct stat_counts c;

	(void)state;
	style.separator = ";";
	fill(&c, STAT_PROCESSES);
	assert_interval(&c, true,
			"2.000000;139;clock_gettime;139.022;100.0000;71.94;3;;;\n"
			"2.000000;100;clock_gettime;100.016;71.9424;100.00;3;9120;;python\\n3\n"
			"2.000000;39;clock_gettime;39.006;28.0576;0.00;0;2210;;postgres\n"
			"2.000000;139;raw_syscalls:sys_exit;139.022;;;;;;\n");
	stat_counts_free(&c);
	fill(&c, STAT_NO_ROWS);
	assert_summary(&c, "2.000000;1390840;gettimeofday;695420.000;99.9700;100.00;0;;;\n"
			   "2.000000;278;clock_gettime;139.000;0.0200;71.94;6;;;\n"
			   "2.000000;1391257;raw_syscalls:sys_exit;695628.500;;;;;;\n");
	stat_counts_free(&c);
	style.separator = NULL;
}

static void test_nothing(void **state)
{
	struct interval iv = {.seconds = 0.5, .host_calls = 20, .missed = 4};
	struct stat_counts c;

	(void)state;
	stat_counts_init(&c, STAT_PROCESSES);
	assert_int_equal(stat_counts_add(&c, &iv), 0);
	assert_summary(&c, "\n Clock syscalls of the host in 0.500000 s:\n\n"
			   "            0  no clock syscalls\n"
			   "            4  missed                            8.00  /s\n"
			   "           20  raw_syscalls:sys_exit             40.0  /s\n\n");
	iv.missed = 0;
	iv.host_calls = 0;
	assert_int_equal(stat_counts_add(&c, &iv), 0);
	assert_interval(&c, false,
			"     1.000000            0  raw_syscalls:sys_exit             0     /s\n");
	stat_counts_free(&c);
}

static void assert_subject(const struct options *o, const char *expected)
{
	struct buffer out = {0};

	stat_print_subject(&out, o, false);
	assert_string_equal(buffer_string(&out), expected);
	buffer_free(&out);
}

static void test_subject(void **state)
{
	char *argv[] = {"./program", "-x", "a\033b", NULL};
	uint32_t pids[] = {12, 13};
	uid_t uids[] = {0, 1000};
	struct options o = {.events = (1U << NR_CALL) - 1};

	(void)state;
	assert_subject(&o, "the host");
	o.argv = argv;
	assert_subject(&o, "'./program -x a\\eb'");
	o.all = true;
	assert_subject(&o, "the host");
	o.all = false;
	o.pids = pids;
	o.nr_pids = 1;
	assert_subject(&o, "process 12");
	o.nr_pids = 2;
	o.uids = uids;
	o.nr_uids = 2;
	assert_subject(&o, "processes 12, 13 (uid 0, uid 1000)");
	o.has_comm = true;
	o.comm_text = "^a\n";
	o.events = 1U << CALL_TIME | 1U << CALL_CLOCK_GETRES;
	assert_subject(&o, "processes 12, 13 (uid 0, uid 1000, name ^a\\n, time, clock_getres)");
	o = (struct options){.events = (1U << NR_CALL) - 1, .min_rate = 2.5};
	assert_subject(&o, "the host (from 2.5 a second)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_people),  cmocka_unit_test(test_vsyscall_page),
	    cmocka_unit_test(test_rows),    cmocka_unit_test(test_machine),
	    cmocka_unit_test(test_nothing), cmocka_unit_test(test_subject),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
