// SPDX-License-Identifier: GPL-2.0-only
/* Which files may be written to.  What another user plants is planted here by
 * chown: this needs root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "safeopen.h"

#define OTHER 4242 /* a user who is neither root nor the directory's owner */
#define WRITE (O_WRONLY | O_CREAT | O_NOCTTY)

static char top[] = "/tmp/clocktop-safeopen-XXXXXX";

static int setup(void **state)
{
	(void)state;
	/* everyone may write to `open` and `sticky`, only its owner to `own` */
	if (!mkdtemp(top) || chdir(top) || mkdir("own", 0755) || mkdir("open", 0755) ||
	    mkdir("sticky", 0755))
		return -1;
	return chmod("open", 0777) || chmod("sticky", 01777);
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", top);
	return system(command);
}

/* Opens, closes, and says how it went. */
static int try_open(const char *path, int flags)
{
	int fd = safe_open(path, flags, 0644);

	if (fd < 0)
		return fd;
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	return 0;
}

/* Says whose file a path leads to, by what it holds. */
static void expect_reaches(const char *path, const char *target)
{
	int fd = safe_open(path, WRITE, 0644);
	struct stat a, b;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &a), 0);
	assert_int_equal(stat(target, &b), 0);
	assert_true(a.st_ino == b.st_ino && a.st_dev == b.st_dev);
	close(fd);
}

static void make_file(const char *path, uid_t owner)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);

	assert_true(fd >= 0);
	assert_int_equal(fchown(fd, owner, owner), 0);
	close(fd);
}

static void make_link(const char *target, const char *path, uid_t owner)
{
	assert_int_equal(symlink(target, path), 0);
	assert_int_equal(lchown(path, owner, owner), 0);
}

static void test_plain(void **state)
{
	char name[5000];
	struct stat st;

	(void)state;
	umask(022);
	assert_int_equal(try_open("own/new", O_WRONLY), -ENOENT);
	assert_int_equal(try_open("own/new", WRITE), 0);
	assert_int_equal(stat("own/new", &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0644);
	assert_int_equal(try_open("own/new", WRITE), 0);
	assert_int_equal(try_open("own/new", WRITE | O_EXCL), -EEXIST);
	assert_int_equal(try_open("own/exclusive", WRITE | O_EXCL), 0);
	assert_int_equal(try_open("sticky/new", WRITE), 0);
	assert_int_equal(try_open("./own/.././own//new", WRITE), 0);
	expect_reaches("own/../own/new", "own/new");

	assert_int_equal(try_open("", WRITE), -ENOENT);
	assert_int_equal(try_open("/", WRITE), -EISDIR);
	assert_int_equal(try_open(".", WRITE), -EISDIR);
	assert_int_equal(try_open("own", WRITE), -EISDIR);
	assert_int_equal(try_open("own/", WRITE), -EISDIR);
	assert_int_equal(try_open("own/new/", WRITE), -ENOTDIR);
	assert_int_equal(try_open("own/new/x", WRITE), -ENOTDIR);
	assert_int_equal(try_open("nowhere/x", WRITE), -ENOENT);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(try_open(name, WRITE), -ENAMETOOLONG);
	name[300] = '\0';
	assert_int_equal(try_open(name, WRITE), -ENAMETOOLONG);
	memset(name, '/', 4090);
	memcpy(name + 4090, "dev/x", sizeof("dev/x"));
	assert_int_equal(try_open(name, O_WRONLY), -ENOENT);
	memcpy(name + 4088, "dev/null", sizeof("dev/null"));
	assert_int_equal(try_open(name, WRITE), -ENAMETOOLONG);
	assert_int_equal(try_open(name + 1, WRITE), 0);
}

/* Links that nobody planted are followed, wherever they lead. */
static void test_links(void **state)
{
	char path[128];

	(void)state;
	make_file("own/target", 0);
	make_link("target", "own/relative", 0);
	make_link("../own/target", "own/up", OTHER); /* in a directory only root writes to */
	snprintf(path, sizeof(path), "%s/own/target", top);
	make_link(path, "own/absolute", 0);
	make_link("relative", "own/twice", 0);
	make_link("own", "dir", 0);
	make_link("own/target", "sticky/mine", 0); /* dangling: sticky/own/target */
	make_link("../own/target", "sticky/mine2", 0);
	make_link("own/created", "dangling", 0);
	make_link("loop", "own/loop", 0);

	expect_reaches("own/relative", "own/target");
	expect_reaches("own/up", "own/target");
	expect_reaches("own/absolute", "own/target");
	expect_reaches("own/twice", "own/target");
	expect_reaches("dir/relative", "own/target");
	expect_reaches("dir//target", "own/target");
	expect_reaches("sticky/mine2", "own/target");
	assert_int_equal(try_open("sticky/mine", WRITE), -ENOENT);
	assert_int_equal(try_open("dir", WRITE), -EISDIR);
	assert_int_equal(try_open("own/loop", WRITE), -ELOOP);
	assert_int_equal(try_open("own/relative", WRITE | O_EXCL), -EEXIST);
	assert_int_equal(try_open("dangling", WRITE), 0);
	assert_int_equal(access("own/created", F_OK), 0);
}

/* 40 links and no more, as the kernel has it, and no path that is too long. */
static void test_chain(void **state)
{
	char from[32], to[32], path[5000];

	(void)state;
	make_file("own/link0", 0);
	for (int i = 1; i <= 41; i++) {
		snprintf(to, sizeof(to), "link%d", i - 1);
		snprintf(from, sizeof(from), "own/link%d", i);
		make_link(to, from, 0);
	}
	memset(path, '/', sizeof(path) - 1);
	memcpy(path, "../own", 6);
	path[4000] = '\0';
	make_link(path, "own/long", 0);
	memcpy(path, "own/long", sizeof("own/long"));
	memset(path + 8, '/', 80);
	memcpy(path + 88, "link0", sizeof("link0"));
	expect_reaches(path, "own/link0");
	memset(path + 88, '/', 80);
	memcpy(path + 168, "link0", sizeof("link0"));
	assert_int_equal(try_open(path, WRITE), -ENAMETOOLONG);

	expect_reaches("own/link40", "own/link0");
	assert_int_equal(try_open("own/link41", WRITE), -ELOOP);
}

static void test_planted(void **state)
{
	static const char *const dirs[] = {"open", "sticky"};
	struct stat st;
	char path[64];

	(void)state;
	make_file("own/victim", 0);
	for (size_t i = 0; i < 2; i++) {
		/* a link to a file, a link to a directory, a dangling link */
		snprintf(path, sizeof(path), "%s/file", dirs[i]);
		make_link("../own/victim", path, OTHER);
		assert_int_equal(try_open(path, WRITE), -ELOOP);
		snprintf(path, sizeof(path), "%s/dir", dirs[i]);
		make_link("../own", path, OTHER);
		snprintf(path, sizeof(path), "%s/dir/victim", dirs[i]);
		assert_int_equal(try_open(path, WRITE), -ELOOP);
		snprintf(path, sizeof(path), "%s/dangling", dirs[i]);
		make_link("../own/appeared", path, OTHER);
		assert_int_equal(try_open(path, WRITE), -ELOOP);
		/* by way of a link of one's own */
		snprintf(path, sizeof(path), "own/to_%s", dirs[i]);
		{
			char target[64];

			snprintf(target, sizeof(target), "../%s/file", dirs[i]);
			make_link(target, path, 0);
		}
		assert_int_equal(try_open(path, WRITE), -ELOOP);
		/* a file, a hard link, a FIFO */
		snprintf(path, sizeof(path), "%s/existing", dirs[i]);
		make_file(path, OTHER);
		assert_int_equal(try_open(path, WRITE), -EACCES);
		snprintf(path, sizeof(path), "%s/fifo", dirs[i]);
		assert_int_equal(mkfifo(path, 0666), 0);
		assert_int_equal(chown(path, OTHER, OTHER), 0);
		{
			int reader = open(path, O_RDONLY | O_NONBLOCK);

			assert_int_equal(try_open(path, WRITE | O_NONBLOCK), -EACCES);
			close(reader);
		}
		/* control: all of it is fine when one's own */
		snprintf(path, sizeof(path), "%s/own_link", dirs[i]);
		make_link("../own/victim", path, 0);
		assert_int_equal(try_open(path, WRITE), 0);
		snprintf(path, sizeof(path), "%s/own_file", dirs[i]);
		make_file(path, 0);
		assert_int_equal(try_open(path, WRITE), 0);
	}
	assert_int_not_equal(access("own/appeared", F_OK), 0);

	/* the directory's owner may plant: it is his directory */
	assert_int_equal(chown("open", OTHER, OTHER), 0);
	assert_int_equal(try_open("open/file", WRITE), 0);
	assert_int_equal(try_open("open/existing", WRITE), 0);
	assert_int_equal(chown("open", 0, 0), 0);

	/* where not everyone may write, nothing can be planted */
	make_file("own/others", OTHER);
	assert_int_equal(try_open("own/others", WRITE), 0);
	assert_int_equal(stat("own/victim", &st), 0);
	assert_int_equal(st.st_size, 0);
}

static void test_special(void **state)
{
	int ends[2], fd;
	char path[64], c = 0;
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "own/socket"};

	(void)state;
	assert_int_equal(try_open("/dev/null", WRITE), 0);
	assert_int_equal(try_open("/dev/full", WRITE), 0);

	/* /dev/fd/N of a pipe: the pipe itself */
	assert_int_equal(pipe(ends), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	fd = safe_open(path, WRITE, 0644);
	assert_true(fd >= 0 && fd != ends[1]);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(read(ends[0], &c, 1), 1);
	assert_int_equal(c, 'x');
	close(fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[1]);
	assert_int_equal(try_open(path, WRITE), 0);
	snprintf(path, sizeof(path), "/proc/%d/root/dev/null", (int)getpid());
	assert_int_equal(try_open(path, WRITE), 0);
	/* through /proc into a directory where links are planted */
	assert_int_equal(try_open("/proc/self/cwd/sticky/file", WRITE), -ELOOP);

	/* /dev/stdout */
	fd = dup(STDOUT_FILENO);
	dup2(ends[1], STDOUT_FILENO);
	assert_int_equal(try_open("/dev/stdout", WRITE), 0);
	dup2(fd, STDOUT_FILENO);
	close(fd);
	close(ends[0]);
	close(ends[1]);

	assert_int_equal(mkfifo("own/fifo", 0600), 0);
	assert_int_equal(try_open("own/fifo", WRITE | O_NONBLOCK), -ENXIO);
	fd = open("own/fifo", O_RDONLY | O_NONBLOCK);
	assert_int_equal(try_open("own/fifo", WRITE | O_NONBLOCK), 0);
	close(fd);

	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(try_open("own/socket", WRITE), -ENXIO);
	close(fd);
}

static int count_fds(void)
{
	int nr = 0;

	for (int fd = 0; fd < 256; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

static void test_leaks_nothing(void **state)
{
	static const char *const paths[] = {"own/twice",
					    "own/loop",
					    "sticky/file",
					    "sticky/dir/x",
					    "sticky/existing",
					    "own/new/x",
					    "/dev/stdout",
					    "own/socket",
					    "dir",
					    "nowhere/x",
					    "/proc/self/cwd/dangling"};
	int before = count_fds();

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		try_open(paths[i], WRITE);
		assert_int_equal(count_fds(), before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_plain),   cmocka_unit_test(test_links),
	    cmocka_unit_test(test_chain),   cmocka_unit_test(test_planted),
	    cmocka_unit_test(test_special), cmocka_unit_test(test_leaks_nothing),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
