/* SPDX-License-Identifier: GPL-2.0-only */
/* For the tests of the command line: parses a line of words, with messages
 * kept and processes made up. */
#ifndef CLOCKTOP_TESTS_OPTIONS_LINE_H
#define CLOCKTOP_TESTS_OPTIONS_LINE_H

#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "message.h"
#include "proc.h"

static char said[4096]; /* what message() was given, a line each */

/* In place of the program's, to see the lines. */
void message(const char *format, ...)
{
	size_t len = strlen(said);
	va_list args;

	va_start(args, format);
	vsnprintf(said + len, sizeof(said) - len, format, args);
	va_end(args);
	strncat(said, "\n", sizeof(said) - strlen(said) - 1);
}

/* In place of /proc: processes 100 and 200, thread 101 of process 100. */
ssize_t proc_read(uint32_t pid, const char *name, char *buf, size_t size)
{
	assert_string_equal(name, "status");
	if (pid != 100 && pid != 101 && pid != 200)
		return -1;
	return snprintf(buf, size, "Name:\ta\nUmask:\t0022\nTgid:\t%u\nPid:\t%u\n",
			pid == 101 ? 100 : pid, pid);
}

/* Splits a line at its blanks and parses it. */
static enum parsed parse(struct options *o, const char *line)
{
	static char text[1024];
	static char *argv[64];
	int argc = 0;

	said[0] = '\0';
	snprintf(text, sizeof(text), "clocktop %s", line);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	return options_parse(o, argc, argv);
}

#endif
