// SPDX-License-Identifier: GPL-2.0-only
/* Files of whole lines: full disks, slow readers, readers that go away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "output.h"

static char top[] = "/tmp/clocktop-output-XXXXXX";

static int setup(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return mkdtemp(top) ? chdir(top) : -1;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", top);
	return system(command);
}

static void expect_file(const char *path, const char *expected)
{
	char text[65536];
	int fd = open(path, O_RDONLY);
	ssize_t len = read(fd, text, sizeof(text) - 1);

	assert_true(len >= 0);
	close(fd);
	text[len] = '\0';
	assert_string_equal(text, expected);
}

static struct output *must_open(const char *path, enum output_mode mode)
{
	struct output *o = NULL;

	assert_int_equal(output_open(&o, path, mode), 0);
	return o;
}

static void must_write(struct output *o, const char *lines)
{
	assert_int_equal(output_write(o, lines, strlen(lines)), 0);
}

static void test_modes(void **state)
{
	struct output *o, *other;

	(void)state;
	o = must_open("file", OUTPUT_NEW);
	must_write(o, "one\ntwo\n");
	must_write(o, "");
	must_write(o, "three\n");
	assert_int_equal(output_written(o), 14);
	assert_int_equal(output_close(o), 0);
	expect_file("file", "one\ntwo\nthree\n");

	assert_int_equal(output_open(&o, "file", OUTPUT_NEW), -EEXIST);
	expect_file("file", "one\ntwo\nthree\n");

	o = must_open("file", OUTPUT_APPEND);
	other = must_open("file", OUTPUT_APPEND);
	must_write(o, "four\n");
	must_write(other, "five\n");
	must_write(o, "six\n");
	assert_int_equal(output_close(o), 0);
	assert_int_equal(output_close(other), 0);
	expect_file("file", "one\ntwo\nthree\nfour\nfive\nsix\n");

	o = must_open("file", OUTPUT_REPLACE);
	expect_file("file", "");
	assert_int_equal(output_close(o), 0);
	assert_int_equal(output_close(NULL), 0);

	assert_int_equal(output_open(&o, "nowhere/file", OUTPUT_REPLACE), -ENOENT);
	assert_int_equal(output_open(&o, ".", OUTPUT_REPLACE), -EISDIR);
}

static void limit_size(rlim_t size)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = size;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A write that ends half-way leaves nothing behind; the next one can do. */
static void test_cut_off(void **state)
{
	static const enum output_mode modes[] = {OUTPUT_REPLACE, OUTPUT_APPEND};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct output *o = must_open("limited", modes[i]);

		must_write(o, "first\n");
		for (rlim_t room = 6; room < 20; room++) {
			limit_size(room);
			assert_int_equal(output_write(o, "second\nthird\n", 13),
					 room == 19 ? 0 : -EFBIG);
			limit_size(RLIM_INFINITY);
			if (room == 19)
				break;
			expect_file("limited", "first\n");
			assert_int_equal(output_written(o), 6);
		}
		must_write(o, "fourth\n");
		assert_int_equal(output_written(o), 26);
		assert_int_equal(output_close(o), 0);
		expect_file("limited", "first\nsecond\nthird\nfourth\n");
		unlink("limited");
	}
}

/* Standard output may be a file that holds more than our lines. */
static void test_standard_output(void **state)
{
	int saved = dup(STDOUT_FILENO);
	int fd = open("stdout", O_WRONLY | O_CREAT | O_EXCL, 0600);
	struct output *o;
	int cut, whole;

	(void)state;
	assert_int_equal(write(fd, "before\n", 7), 7);
	dup2(fd, STDOUT_FILENO);
	o = must_open("-", OUTPUT_REPLACE);
	must_write(o, "one\n");
	limit_size(13);
	cut = output_write(o, "two\nthree\n", 10);
	limit_size(RLIM_INFINITY);
	whole = output_write(o, "four\n", 5);
	output_close(o);
	assert_int_equal(write(fd, "after\n", 6), 6); /* at the end of what is there */
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fd);
	assert_int_equal(cut, -EFBIG);
	assert_int_equal(whole, 0);
	expect_file("stdout", "before\none\nfour\nafter\n");
}

/* What stands behind our lines is not ours to cut off. */
static void test_in_the_middle(void **state)
{
	int saved = dup(STDOUT_FILENO);
	int fd = open("middle", O_RDWR | O_CREAT | O_EXCL, 0600);
	struct output *o;
	int err;

	(void)state;
	assert_int_equal(write(fd, "one\nold\nold\nold\nold\n", 20), 20);
	assert_int_equal(lseek(fd, 4, SEEK_SET), 4);
	dup2(fd, STDOUT_FILENO);
	o = must_open("-", OUTPUT_REPLACE);
	limit_size(8);
	err = output_write(o, "two\nthree\n", 10);
	limit_size(RLIM_INFINITY);
	output_close(o);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fd);
	assert_int_equal(err, -EFBIG);
	expect_file("middle", "one\ntwo\nold\nold\nold\n");
}

static void test_full_device(void **state)
{
	struct output *o = must_open("/dev/full", OUTPUT_REPLACE);

	(void)state;
	assert_int_equal(output_write(o, "x\n", 2), -ENOSPC);
	assert_int_equal(output_write(o, "x\n", 2), -ENOSPC);
	assert_int_equal(output_written(o), 0);
	assert_int_equal(output_close(o), 0);
	o = must_open("/dev/null", OUTPUT_APPEND);
	must_write(o, "x\n");
	assert_int_equal(output_close(o), 0);
}

/* The other end of what must_pipe() opened. */
static int reader;

/* An output to a pipe, which is its standard output when it is opened. */
static struct output *must_pipe(int flags)
{
	int saved = dup(STDOUT_FILENO);
	int ends[2];
	struct output *o;

	assert_int_equal(pipe2(ends, flags), 0);
	dup2(ends[1], STDOUT_FILENO);
	o = must_open("-", OUTPUT_REPLACE);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(ends[1]);
	reader = ends[0];
	return o;
}

/* `nr` lines of `len` bytes. */
static char *lines_of(size_t nr, size_t len)
{
	char *lines = malloc(nr * len + 1);

	assert_non_null(lines);
	memset(lines, 'x', nr * len);
	for (size_t i = 1; i <= nr; i++)
		lines[i * len - 1] = '\n';
	lines[nr * len] = '\0';
	return lines;
}

/* Whole lines in each piece: a packet pipe keeps pieces apart. */
static void test_pieces(void **state)
{
	static const size_t lengths[] = {1, 2, 100, 300, 4095, 4096};
	char piece[65536];

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct output *o = must_pipe(O_DIRECT);
		size_t nr = 30000 / lengths[i], sum = 0;
		char *lines = lines_of(nr, lengths[i]);

		must_write(o, lines);
		assert_int_equal(output_close(o), 0);
		for (;;) {
			ssize_t n = read(reader, piece, sizeof(piece));

			assert_true(n >= 0 && n <= PIPE_BUF);
			if (n == 0)
				break;
			assert_int_equal((size_t)n % lengths[i], 0);
			/* as many as fit, but in the last */
			sum += (size_t)n;
			assert_true(sum == nr * lengths[i] || (size_t)n + lengths[i] > PIPE_BUF);
		}
		assert_int_equal(sum, nr * lengths[i]);
		close(reader);
		free(lines);
	}
}

/* The output's own descriptor: of the same pipe, and not the reader. */
static int writing_end(void)
{
	struct stat a, b;
	int found = -1;

	assert_int_equal(fstat(reader, &a), 0);
	for (int fd = 3; fd < 64; fd++) {
		if (fd != reader && fstat(fd, &b) == 0 && a.st_ino == b.st_ino &&
		    a.st_dev == b.st_dev) {
			assert_int_equal(found, -1);
			found = fd;
		}
	}
	assert_int_equal(fcntl(found, F_GETFL) & O_NONBLOCK, 0);
	assert_int_equal(fcntl(found, F_GETFD), FD_CLOEXEC);
	return found;
}

static void *read_slowly(void *lines)
{
	const char *expected = lines;
	size_t done = 0, len = strlen(expected);

	while (done < len) {
		char part[1000];
		ssize_t n = read(reader, part, sizeof(part));

		if (n <= 0 || memcmp(part, expected + done, (size_t)n) != 0)
			return NULL;
		done += (size_t)n;
		if (done % 7 == 0)
			nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	return lines;
}

/* Longer lines than a pipe holds, a reader slower than the writer, and a pipe
 * that another program made non-blocking. */
static void test_slow_reader(void **state)
{
	(void)state;
	for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
		char *lines = lines_of(3, 100000);
		struct output *o = must_pipe(0);
		pthread_t thread;
		void *result;

		if (nonblocking)
			fcntl(writing_end(), F_SETFL, O_WRONLY | O_NONBLOCK);
		assert_int_equal(pthread_create(&thread, NULL, read_slowly, lines), 0);
		assert_int_equal(output_write(o, lines, 300000), 0);
		assert_int_equal(pthread_join(thread, &result), 0);
		assert_ptr_equal(result, lines);
		assert_int_equal(output_written(o), 300000);
		assert_int_equal(output_close(o), 0);
		close(reader);
		free(lines);
	}
}

static void test_gone_reader(void **state)
{
	struct output *o = must_pipe(0);

	(void)state;
	must_write(o, "one\n");
	close(reader);
	assert_int_equal(output_write(o, "two\n", 4), -EPIPE);
	assert_int_equal(output_close(o), 0);
}

/* What is in the pipe, which nobody else writes to. */
static size_t count_whole_lines(size_t len)
{
	static char text[1 << 20];
	size_t sum = 0;
	ssize_t n;

	fcntl(reader, F_SETFL, O_NONBLOCK);
	while ((n = read(reader, text + sum, sizeof(text) - sum)) > 0)
		sum += (size_t)n;
	assert_int_equal(sum % len, 0);
	for (size_t i = len; i <= sum; i += len)
		assert_int_equal(text[i - 1], '\n');
	return sum / len;
}

/* A reader that reads nothing does not keep the program from ending; what it
 * finds later are whole lines. */
static void test_stuck_reader(void **state)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
	char *lines = lines_of(2000, 300);

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct output *o = must_pipe(0);
		sigset_t set, old;
		int sig;

		sigemptyset(&set);
		sigaddset(&set, ending[i]);
		sigprocmask(SIG_BLOCK, &set, &old);
		raise(ending[i]);
		/* what fits is written all the same */
		must_write(o, "\n");
		assert_int_equal(read(reader, &(char){0}, 1), 1);
		assert_int_equal(output_write(o, lines, 600000), -EINTR);
		assert_true(output_written(o) > 60000);
		/* the signal was taken; the reader is not waited for again */
		assert_int_equal(sigwait(&set, &sig), 0);
		assert_int_equal(output_write(o, lines, 600000), -EINTR);
		sigprocmask(SIG_SETMASK, &old, NULL);
		assert_int_equal(count_whole_lines(300), (output_written(o) - 1) / 300);
		/* it reads again: nothing is held against it */
		must_write(o, "last\n");
		assert_int_equal(output_close(o), 0);
		close(reader);
	}
	free(lines);
}

static void test_hurry(void **state)
{
	char *lines = lines_of(2000, 300);
	struct output *o = must_pipe(0);

	(void)state;
	output_hurry(o);
	assert_int_equal(output_write(o, lines, 600000), -EINTR); /* and not never */
	assert_int_equal(output_write(o, lines, 600000), -EINTR);
	assert_int_equal(count_whole_lines(300), output_written(o) / 300);
	assert_int_equal(output_close(o), 0);
	close(reader);
	free(lines);
}

static void *open_later(void *path)
{
	nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	reader = open(path, O_RDONLY);
	return NULL;
}

static void test_fifo(void **state)
{
	static char path[] = "fifo";
	struct output *o = NULL;
	sigset_t set, old;
	pthread_t thread;
	char line[16];
	int sig;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &old);
	raise(SIGTERM);
	assert_int_equal(output_open(&o, path, OUTPUT_REPLACE), -EINTR);
	assert_int_equal(sigwait(&set, &sig), 0);
	sigprocmask(SIG_SETMASK, &old, NULL);

	assert_int_equal(pthread_create(&thread, NULL, open_later, path), 0);
	o = must_open(path, OUTPUT_REPLACE);
	assert_int_equal(pthread_join(thread, NULL), 0);
	writing_end();
	must_write(o, "line\n");
	assert_int_equal(read(reader, line, sizeof(line)), 5);
	assert_int_equal(output_close(o), 0);
	assert_int_equal(read(reader, line, sizeof(line)), 0);
	close(reader);
}

/* A file never takes the place of a closed standard output. */
static void test_closed_descriptors(void **state)
{
	struct output *o;
	int saved[3], got[3], err, stdout_err;

	(void)state;
	for (int fd = 0; fd < 3; fd++) {
		saved[fd] = fcntl(fd, F_DUPFD, 10);
		close(fd);
	}
	stdout_err = output_open(&o, "-", OUTPUT_REPLACE);
	err = output_open(&o, "closed", OUTPUT_REPLACE);
	for (int fd = 0; fd < 3; fd++) {
		got[fd] = fcntl(fd, F_GETFD);
		dup2(saved[fd], fd);
		close(saved[fd]);
	}
	assert_int_equal(stdout_err, -EBADF);
	assert_int_equal(err, 0);
	for (int fd = 0; fd < 3; fd++)
		assert_int_equal(got[fd], -1);
	assert_int_equal(output_close(o), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_modes),
	    cmocka_unit_test(test_cut_off),
	    cmocka_unit_test(test_standard_output),
	    cmocka_unit_test(test_in_the_middle),
	    cmocka_unit_test(test_full_device),
	    cmocka_unit_test(test_pieces),
	    cmocka_unit_test(test_slow_reader),
	    cmocka_unit_test(test_gone_reader),
	    cmocka_unit_test(test_stuck_reader),
	    cmocka_unit_test(test_hurry),
	    cmocka_unit_test(test_fifo),
	    cmocka_unit_test(test_closed_descriptors),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
