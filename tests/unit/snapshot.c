// SPDX-License-Identifier: GPL-2.0-only
/* Snapshots, and the process that creates them where root no longer may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interval.h"
#include "scribe.h"
#include "snapshot.h"
#include "users.h"

#define OWNER 12345

static char start[4096];
static char folder[64];
static struct users *users;
static struct interval iv;
static char name[SNAPSHOT_NAME]; /* of the last snapshot */

/* In a folder of its own, with an interval of 2026-11-30 19:30:00 UTC that has
 * no calls: the host's row alone. */
static int setup(void **state)
{
	(void)state;
	users = users_new();
	assert_non_null(users);
	interval_init(&iv);
	iv.end.tv_sec = 1796067000;
	iv.seconds = 1;
	iv.host_calls = 7;
	assert_non_null(getcwd(start, sizeof(start)));
	strcpy(folder, "/tmp/clocktop-snapshot-XXXXXX");
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	return 0;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	users_free(users);
	interval_free(&iv);
	assert_int_equal(chdir(start), 0);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static struct scribe none = {.socket = -1};

static int take(struct scribe *s)
{
	return snapshot_write(s, &iv, false, users, name);
}

static size_t lines(void)
{
	FILE *f = fopen(name, "r");
	size_t n = 0;
	int c;

	assert_non_null(f);
	while ((c = fgetc(f)) != EOF)
		n += c == '\n';
	fclose(f);
	return n;
}

static void each_is_a_new_file(void **state)
{
	(void)state;
	assert_int_equal(take(&none), 0);
	assert_string_equal(name, "clocktop-20261130T193000.csv");
	assert_int_equal(lines(), 2);
	assert_int_equal(take(&none), 0);
	assert_string_equal(name, "clocktop-20261130T193000-2.csv");
	assert_int_equal(lines(), 2);
	for (int n = 3; n <= 99; n++)
		assert_int_equal(take(&none), 0);
	assert_string_equal(name, "clocktop-20261130T193000-99.csv");
	assert_int_equal(take(&none), -EEXIST);
}

static void nothing_is_followed(void **state)
{
	(void)state;
	assert_int_equal(symlink("victim", "clocktop-20261130T193000.csv"), 0);
	assert_int_equal(take(&none), 0);
	assert_string_equal(name, "clocktop-20261130T193000-2.csv");
	assert_int_equal(access("victim", F_OK), -1);
}

/* A full disk leaves no half of a file. */
static void what_cannot_be_written_is_removed(void **state)
{
	(void)state;
	assert_int_equal(mkdir("full", 0700), 0);
	assert_int_equal(unshare(CLONE_NEWNS), 0); /* the mount goes with the test */
	assert_int_equal(system("mount --make-rprivate / && "
				"mount -t tmpfs -o size=4096 none full && echo x >full/x"),
			 0);
	assert_int_equal(chdir("full"), 0);
	assert_int_equal(take(&none), -ENOSPC);
	assert_int_equal(access(name, F_OK), -1);
	assert_int_equal(chdir(".."), 0);
	assert_int_equal(system("umount full"), 0);
}

/* Gives up what lets root write everywhere, or takes it again. */
static void set_override(cap_flag_value_t value)
{
	const cap_value_t override = CAP_DAC_OVERRIDE;
	cap_t caps = cap_get_proc();

	assert_non_null(caps);
	assert_int_equal(cap_set_flag(caps, CAP_EFFECTIVE, 1, &override, value), 0);
	assert_int_equal(cap_set_proc(caps), 0);
	cap_free(caps);
}

static void the_scribe_creates_as_the_directorys_owner(void **state)
{
	struct scribe s;
	struct stat st;

	(void)state;
	assert_int_equal(chown(".", OWNER, OWNER + 1), 0);
	scribe_start(&s);
	assert_true(s.socket >= 0);
	set_override(CAP_CLEAR);
	assert_int_equal(open("x", O_WRONLY | O_CREAT, 0600), -1); /* not without it */
	assert_int_equal(take(&s), 0);
	assert_string_equal(name, "clocktop-20261130T193000.csv");
	assert_int_equal(lines(), 2);
	assert_int_equal(stat(name, &st), 0);
	assert_int_equal(st.st_uid, OWNER);
	assert_int_equal(st.st_gid, OWNER + 1);
	assert_int_equal(take(&s), 0);
	assert_string_equal(name, "clocktop-20261130T193000-2.csv");
	scribe_remove(&s);
	assert_int_equal(access(name, F_OK), -1);
	scribe_remove(&s); /* there is no other that it created last */
	assert_int_equal(access("clocktop-20261130T193000.csv", F_OK), 0);
	assert_int_equal(scribe_create(&s, "../x"), -EINVAL);
	assert_int_equal(scribe_create(&s, "."), -EEXIST);
	scribe_stop(&s);
	assert_int_equal(take(&s), -EACCES);
	set_override(CAP_SET);
}

static void the_scribe_has_no_privilege(void **state)
{
	char path[64], line[256];
	struct scribe s;
	unsigned int seen = 0;
	char target[64];
	ssize_t len;
	FILE *f;

	(void)state;
	assert_int_equal(chown(".", OWNER, 0), 0);
	scribe_start(&s);
	assert_int_equal(scribe_create(&s, "."), -EEXIST); /* it is ready */
	snprintf(path, sizeof(path), "/proc/%d/status", s.pid);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, "Uid:", 4) == 0) {
			assert_string_equal(line, "Uid:\t12345\t12345\t12345\t12345\n");
			seen++;
		} else if (strncmp(line, "Gid:", 4) == 0) {
			assert_string_equal(line, "Gid:\t65534\t65534\t65534\t65534\n");
			seen++;
		} else if (strncmp(line, "CapPrm:", 7) == 0 || strncmp(line, "CapEff:", 7) == 0) {
			assert_string_equal(line + 7, "\t0000000000000000\n");
			seen++;
		} else if (strncmp(line, "NoNewPrivs:", 11) == 0) {
			assert_string_equal(line, "NoNewPrivs:\t1\n");
			seen++;
		}
	}
	fclose(f);
	assert_int_equal(seen, 5);
	snprintf(path, sizeof(path), "/proc/%d/fd/0", s.pid);
	len = readlink(path, target, sizeof(target));
	assert_true(len > 7 && strncmp(target, "socket:", 7) == 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/1", s.pid);
	assert_int_equal(access(path, F_OK), -1);
	scribe_stop(&s);
}

static void where_root_owns_there_is_no_scribe(void **state)
{
	struct scribe s;

	(void)state;
	scribe_start(&s);
	assert_int_equal(s.socket, -1);
	assert_int_equal(scribe_create(&s, "x"), -ENOENT);
	scribe_stop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	    TEST(each_is_a_new_file),
	    TEST(nothing_is_followed),
	    TEST(what_cannot_be_written_is_removed),
	    TEST(the_scribe_creates_as_the_directorys_owner),
	    TEST(the_scribe_has_no_privilege),
	    TEST(where_root_owns_there_is_no_scribe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
