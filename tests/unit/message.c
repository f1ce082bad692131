// SPDX-License-Identifier: GPL-2.0-only
/* Messages: what reaches standard error, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "message.h"

static int saved_stderr, captured;

static void capture(void)
{
	saved_stderr = dup(STDERR_FILENO);
	captured = memfd_create("stderr", 0);
	assert_true(saved_stderr >= 0 && captured >= 0);
	assert_true(dup2(captured, STDERR_FILENO) >= 0);
}

/* What was written since capture(); the caller frees it. */
static char *release(void)
{
	off_t size = lseek(captured, 0, SEEK_END);
	char *text = calloc(1, (size_t)size + 1);

	assert_non_null(text);
	assert_int_equal(pread(captured, text, (size_t)size, 0), size);
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(captured);
	return text;
}

static void expect(const char *expected)
{
	char *text = release();

	assert_string_equal(text, expected);
	free(text);
}

static void test_line(void **state)
{
	(void)state;
	capture();
	message("%s: %d %%", "counts.csv", 42);
	expect("clocktop: counts.csv: 42 %\n");

	capture();
	message("%s", "");
	expect("clocktop: \n");

	capture();
	errno = ENOSPC;
	message("x");
	assert_int_equal(errno, ENOSPC);
	expect("clocktop: x\n");

	/* even when nobody can hear it */
	capture();
	close(STDERR_FILENO);
	errno = ENOSPC;
	message("x");
	assert_int_equal(errno, ENOSPC);
	expect("");
}

static void test_hostile(void **state)
{
	(void)state;
	setlocale(LC_CTYPE, "C");
	capture();
	message("%s", "a\nb\033[2J\xff\xc2\x9b\xc3\xa9\x7f");
	expect("clocktop: a\\nb\\e[2J\\xff\\u009b\\u00e9\\x7f\n");

	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	capture();
	message("%s", "a\nb\033[2J\xff\xc2\x9b\xc3\xa9\xe2\x80\xae");
	expect("clocktop: a\\nb\\e[2J\\xff\\u009b\xc3\xa9\\u202e\n");
	setlocale(LC_CTYPE, "C");
}

/* A message of any length is one write: one record of a socket that keeps them
 * apart. */
static void test_one_write(void **state)
{
	enum { LENGTH = 20000 };
	static char text[LENGTH + 1], line[2 * LENGTH];
	int ends[2], saved = dup(STDERR_FILENO);
	ssize_t len;

	(void)state;
	memset(text, 'x', LENGTH);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
	dup2(ends[1], STDERR_FILENO);
	message("%s", text);
	message("second");
	dup2(saved, STDERR_FILENO);
	close(saved);
	len = read(ends[0], line, sizeof(line));
	assert_int_equal(len, strlen("clocktop: ") + LENGTH + 1);
	assert_memory_equal(line, "clocktop: x", 11);
	assert_int_equal(line[len - 1], '\n');
	assert_int_equal(read(ends[0], line, sizeof(line)), strlen("clocktop: second\n"));
	close(ends[0]);
	close(ends[1]);
}

static void test_hold(void **state)
{
	char *text, last[64];
	size_t lines = 0;

	(void)state;
	capture();
	message("before");
	message_hold();
	message("one");
	message("two\n");
	assert_int_equal(lseek(captured, 0, SEEK_END), strlen("clocktop: before\n"));
	message_release();
	message("after");
	expect("clocktop: before\nclocktop: one\nclocktop: two\\n\nclocktop: after\n");

	capture();
	message_hold();
	message_release();
	message_release();
	expect("");

	/* what is kept has a bound, and what is not is counted */
	capture();
	message_hold();
	for (int i = 0; i < 10000; i++)
		message("%099d", i);
	message_release();
	text = release();
	for (char *end = text; (end = strchr(end, '\n')); end++)
		lines++;
	assert_true(lines > 500 && lines < 1000);
	snprintf(last, sizeof(last), "clocktop: %zu more messages were dropped\n",
		 10000 - (lines - 1));
	assert_string_equal(text + strlen(text) - strlen(last), last);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_line),
	    cmocka_unit_test(test_hostile),
	    cmocka_unit_test(test_one_write),
	    cmocka_unit_test(test_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
