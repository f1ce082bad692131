// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "header.h"
#include "text.h"

struct fixture {
	struct host host;
	struct served served;
	struct served_cost cost;
	struct interval interval;
	struct sparkline history;
	struct header_input in;
	struct header header;
	struct buffer text;
};

static void serve(struct fixture *f, unsigned char state)
{
	for (int i = 0; i < NR_CLOCKS; i++)
		f->served.gettime[i] = SERVED_NO;
	f->served.gettime[CLOCK_REALTIME] = state;
	f->served.gettime[CLOCK_MONOTONIC] = state;
	f->served.gettimeofday = state;
	f->served.gettime[CLOCK_REALTIME_COARSE] = SERVED_YES;
	f->served.time = SERVED_YES;
	f->served.exists[CLOCK_REALTIME] = true;
	f->served.exists[CLOCK_MONOTONIC] = true;
	f->served.exists[CLOCK_REALTIME_COARSE] = true;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	strcpy(f->host.name, "db-17");
	strcpy(f->host.release, "6.1.0");
	strcpy(f->host.clocksource, "hpet");
	strcpy(f->host.available, "tsc hpet acpi_pm");
	f->host.cpus = 8;
	f->served.has_vdso = true;
	serve(f, SERVED_YES);
	f->cost.vdso_gettime[CLOCK_MONOTONIC] = 27.4;
	f->cost.syscall_gettime[CLOCK_MONOTONIC] = 684;
	f->interval.end.tv_sec = 1796067000; /* 2026-11-30 19:30:00 UTC */
	f->interval.seconds = 2;
	f->interval.host_calls = 2000000;
	sparkline_add(&f->history, 100);
	sparkline_add(&f->history, 800);
	f->in = (struct header_input){
	    .host = &f->host,
	    .served = &f->served,
	    .cost = &f->cost,
	    .uptime = 12 * 86400 + 3 * 3600 + 59,
	    .delay = 1,
	    .live = true,
	    .interval = &f->interval,
	    .sums = {.calls = 1500000, .cpu = 0.94},
	    .history = &f->history,
	    .utf8 = true,
	    .width = 80,
	};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	header_free(&f->header);
	buffer_free(&f->text);
	free(f);
	return 0;
}

/* All of it as batch mode prints it. */
static const char *printed(struct fixture *f)
{
	buffer_clear(&f->text);
	header_make(&f->header, &f->in);
	header_print(&f->header, f->in.width, &f->text);
	return buffer_string(&f->text);
}

/* One line as the screen draws it. */
static const char *drawn(struct fixture *f, size_t line, size_t width)
{
	static char text[1024];
	const struct header_line *l;
	size_t start[HEADER_WORDS], column = 0, len = 0;

	header_make(&f->header, &f->in);
	l = &f->header.lines[line];
	header_place(&f->header, l, width, start);
	text[0] = '\0';
	for (size_t i = 0; i < l->nr; i++) {
		const char *word = header_text(&f->header, &l->words[i]);

		if (start[i] == HEADER_OUT)
			continue;
		assert_true(start[i] >= column);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%*s%s",
					(int)(start[i] - column), "", word);
		assert_true(len < sizeof(text));
		column = start[i] + text_width(word);
	}
	return text;
}

static void all_is_said(void **state)
{
	struct fixture *f = *state;

	f->in.live = false;
	assert_string_equal(
	    printed(f),
	    "clocktop  db-17  Linux 6.1.0  up 12 d 3 h  2026-11-30T19:30:00Z\n"
	    "clocksource  hpet  ✓ read in user space\n"
	    "clock syscalls  750,000/s  ▂█  75.00 % of host  burning ~0.94 of 8 CPUs\n"
	    "a read costs  27 ns through the vDSO,  684 ns as a syscall  (CLOCK_MONOTONIC)\n");
}

static void what_is_wrong_is_said(void **state)
{
	struct fixture *f = *state;

	serve(f, SERVED_NO);
	f->in.live = false;
	f->in.missed = 1234;
	f->in.unseen = "other users' processes (CAP_SYS_PTRACE)";
	f->in.sums.cpu_open = true;
	f->cost.vdso_gettime[CLOCK_MONOTONIC] = NAN;
	assert_string_equal(
	    printed(f),
	    "clocktop  db-17  Linux 6.1.0  up 12 d 3 h  2026-11-30T19:30:00Z\n"
	    "clocksource  hpet  ✗ not readable in user space: clocksource\n"
	    "    (available: tsc hpet acpi_pm)\n"
	    "clock syscalls  750,000/s  ▂█  75.00 % of host  burning >0.94 of 8 CPUs\n"
	    "a read costs  ? through the vDSO,  684 ns as a syscall  (CLOCK_MONOTONIC)\n"
	    "missed  1,234  calls could not be counted\n"
	    "not looked at  other users' processes (CAP_SYS_PTRACE)\n");
	/* in red */
	assert_int_equal(f->header.lines[1].words[2].mark, HEADER_BAD);
	assert_int_equal(f->header.lines[4].words[1].mark, HEADER_BAD);
}

static void no_vdso_is_another_cause(void **state)
{
	struct fixture *f = *state;

	serve(f, SERVED_NO);
	f->served.has_vdso = false;
	f->served.gettime[CLOCK_REALTIME_COARSE] = SERVED_NO;
	f->served.time = SERVED_NO;
	assert_string_equal(drawn(f, 1, 60),
			    "clocksource  hpet  ✗ not readable in user space: no-vdso");
}

static void what_could_not_be_asked_is_not_guessed(void **state)
{
	struct fixture *f = *state;

	serve(f, SERVED_UNKNOWN);
	f->host.clocksource[0] = '\0';
	assert_string_equal(drawn(f, 1, 80),
			    "clocksource  (not known)  the vDSO could not be asked");
}

static void narrow_lines_keep_what_matters(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(drawn(f, 0, 80),
			    "clocktop  db-17  Linux 6.1.0  up 12 d 3 h  2026-11-30T19:30:00Z "
			    "  every 1.0 s  ▶");
	assert_string_equal(drawn(f, 0, 78),
			    "clocktop  db-17  Linux 6.1.0  up 12 d 3 h                       "
			    "every 1.0 s  ▶");
	assert_string_equal(drawn(f, 0, 40), "clocktop  db-17  Linux 6.1.0           ▶");
	assert_string_equal(drawn(f, 2, 40), "clock syscalls  750,000/s  ▂█  75.00 %");
	assert_string_equal(drawn(f, 3, 40), "27 ns through the vDSO,  684 ns syscall");
	serve(f, SERVED_NO);
	assert_string_equal(drawn(f, 1, 40), "clocksource  hpet  ✗ clocksource");
	assert_string_equal(drawn(f, 1, 65),
			    "clocksource  hpet  ✗ not readable in user space: clocksource");
}

static void terminals_without_utf8_get_ascii(void **state)
{
	struct fixture *f = *state;

	f->in.utf8 = false;
	f->in.paused = true;
	for (size_t i = 0; i < 30; i++)
		sparkline_add(&f->history, (double)i);
	serve(f, SERVED_NO);
	for (const char *p = printed(f); *p; p++)
		assert_true((unsigned char)*p < 0x80);
	assert_string_equal(drawn(f, 1, 80),
			    "clocksource  hpet  NOT OK not readable in user space: clocksource");
	assert_non_null(strstr(drawn(f, 0, 80), "paused"));
}

static void before_the_first_interval_nothing_is_made_up(void **state)
{
	struct fixture *f = *state;

	f->in.interval = NULL;
	assert_string_equal(drawn(f, 2, 80), "clock syscalls  counting");
}

static void foreign_text_is_made_safe(void **state)
{
	struct fixture *f = *state;

	strcpy(f->host.name, "a\033[2Jb");
	assert_string_equal(drawn(f, 0, 40), "clocktop  a\\e[2Jb  Linux 6.1.0         ▶");
}

static void uptimes(void **state)
{
	struct fixture *f = *state;

	f->in.uptime = 59;
	assert_non_null(strstr(drawn(f, 0, 80), "up 0 min "));
	f->in.uptime = 3599;
	assert_non_null(strstr(drawn(f, 0, 80), "up 59 min "));
	f->in.uptime = 2 * 3600 + 60;
	assert_non_null(strstr(drawn(f, 0, 80), "up 2 h 1 min "));
}

static double cost(void *arg, const struct record *r)
{
	(void)arg;
	return r->clock == 99 ? NAN : 500;
}

static void sums_are_of_all_records(void **state)
{
	struct record records[] = {
	    {.clock = 2, .calls = {.count = 1000000}},
	    {.clock = 3, .calls = {.count = 3000000}},
	};
	struct interval iv = {.seconds = 4, .records = records, .nr = 2};
	struct header_sums sums = header_sum(&iv, cost, NULL);

	(void)state;
	assert_int_equal(sums.calls, 4000000);
	assert_true(fabs(sums.cpu - 0.5) < 1e-9);
	assert_false(sums.cpu_open);
	records[1].clock = 99;
	sums = header_sum(&iv, cost, NULL);
	assert_true(fabs(sums.cpu - 0.125) < 1e-9);
	assert_true(sums.cpu_open);
}

static void sparklines(void **state)
{
	struct sparkline s = {0};
	char buf[64];

	(void)state;
	assert_string_equal(sparkline_draw(&s, 8, true, buf, sizeof(buf)), "");
	sparkline_add(&s, 0);
	assert_string_equal(sparkline_draw(&s, 8, true, buf, sizeof(buf)), "▁");
	sparkline_add(&s, 1e-9);
	assert_string_equal(sparkline_draw(&s, 8, true, buf, sizeof(buf)), "▁█");
	sparkline_add(&s, 7);
	sparkline_add(&s, 4);
	assert_string_equal(sparkline_draw(&s, 8, true, buf, sizeof(buf)), "▁▂█▅");
	assert_string_equal(sparkline_draw(&s, 8, false, buf, sizeof(buf)), "_.#=");
	/* the last ones, measured by the largest of them */
	sparkline_add(&s, 2);
	assert_string_equal(sparkline_draw(&s, 2, true, buf, sizeof(buf)), "█▅");
	/* whole characters only */
	assert_string_equal(sparkline_draw(&s, 8, true, buf, 8), "▁▂");
	for (size_t i = 0; i < 2 * SPARKLINE_VALUES; i++)
		sparkline_add(&s, 1);
	assert_string_equal(sparkline_draw(&s, 4, false, buf, sizeof(buf)), "####");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	    TEST(all_is_said),
	    TEST(what_is_wrong_is_said),
	    TEST(no_vdso_is_another_cause),
	    TEST(what_could_not_be_asked_is_not_guessed),
	    TEST(narrow_lines_keep_what_matters),
	    TEST(terminals_without_utf8_get_ascii),
	    TEST(before_the_first_interval_nothing_is_made_up),
	    TEST(foreign_text_is_made_safe),
	    TEST(uptimes),
	    cmocka_unit_test(sums_are_of_all_records),
	    cmocka_unit_test(sparklines),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
