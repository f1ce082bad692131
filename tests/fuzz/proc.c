// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a process can write into /proc: any bytes at all for the parsers, and
 * then as its name, which must change nothing but the name.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "proc.h"

#define TICKS 4711ULL

static void check_id(const char *text, const char id[13])
{
	size_t len = strlen(id);

	CHECK(len == 0 || len == 12);
	for (size_t i = 0; i < len; i++)
		CHECK(isxdigit((unsigned char)id[i]));
	CHECK(strstr(text, id) != NULL);
}

static void parse_anything(const char *text)
{
	struct proc_status status;
	char *copy = strdup(text);
	char id[13];

	proc_stat_start_ns(text, 100);
	proc_parse_status(text, &status);
	CHECK(status.seccomp >= -1 && status.seccomp <= 2);
	proc_container_of_path(text, id);
	check_id(text, id);
	CHECK(copy != NULL);
	proc_container_of_cgroup(copy, id);
	check_id(text, id);
	free(copy);
}

/* The kernel puts up to 15 bytes of any value but NUL between the parentheses
 * of stat; in status it escapes newlines and backslashes (fs/proc/array.c,
 * proc_task_name()). */
static void parse_name(const char *text)
{
	char stat[512], escaped[4 * 15 + 1], lines[512], *end = escaped;
	struct proc_status status;
	char name[16];

	snprintf(name, sizeof(name), "%s", text);
	snprintf(stat, sizeof(stat),
		 "42 (%s) S 1 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 %llu 9 10\n", name,
		 TICKS);
	CHECK(proc_stat_start_ns(stat, 100) == TICKS * 10000000);

	for (const char *p = name; *p; p++) {
		if (*p == '\n' || *p == '\\') {
			*end++ = '\\';
			*end++ = *p == '\n' ? 'n' : '\\';
		} else {
			*end++ = *p;
		}
	}
	*end = '\0';
	snprintf(lines, sizeof(lines),
		 "Name:\t%s\nUmask:\t0022\nTgid:\t42\nNgid:\t0\nPid:\t43\nTracerPid:\t7\n"
		 "Seccomp:\t2\nSeccomp_filters:\t1\n",
		 escaped);
	proc_parse_status(lines, &status);
	CHECK(status.tgid == 42 && status.tracer == 7 && status.seccomp == 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	parse_anything(text);
	parse_name(text);
	free(text);
	return 0;
}
