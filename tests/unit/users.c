// SPDX-License-Identifier: GPL-2.0-only
/* Names of uids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "users.h"

#define NOBODYS 4000000001U /* no system gives it to a user */

static void test_names(void **state)
{
	struct users *u = users_new();

	(void)state;
	assert_non_null(u);
	assert_string_equal(users_name(u, 0), "root");
	assert_string_equal(users_name(u, NOBODYS), "4000000001");
	assert_string_equal(users_name(u, (uid_t)-1), "4294967295");
	assert_ptr_equal(users_name(u, 0), users_name(u, 0)); /* remembered */
	users_free(u);
	users_free(NULL);
}

/* The same as getpwuid() for every user of the host. */
static void test_every_user(void **state)
{
	struct users *u = users_new();
	struct passwd *pw;
	size_t nr = 0;
	uid_t uids[4096];

	(void)state;
	setpwent();
	while (nr < sizeof(uids) / sizeof(uids[0]) && (pw = getpwent()))
		uids[nr++] = pw->pw_uid;
	endpwent();
	assert_true(nr > 1);
	for (size_t i = 0; i < nr; i++) {
		uid_t found = NOBODYS;

		pw = getpwuid(uids[i]);
		assert_non_null(pw);
		assert_string_equal(users_name(u, uids[i]), pw->pw_name);
		assert_int_equal(users_find(pw->pw_name, &found), 0);
		assert_int_equal(found, pw->pw_uid);
	}
	users_free(u);
}

/* Many uids: the table grows, what it gave out stays. */
static void test_many(void **state)
{
	struct users *u = users_new();
	const char *first = users_name(u, NOBODYS);
	char expected[16];

	(void)state;
	for (int round = 0; round < 2; round++)
		for (uid_t i = 0; i < 500; i++) {
			uid_t uid = NOBODYS + i * 64; /* collide in the hash's low bits */

			snprintf(expected, sizeof(expected), "%u", uid);
			assert_string_equal(users_name(u, uid), expected);
		}
	assert_ptr_equal(users_name(u, NOBODYS), first);
	assert_string_equal(first, "4000000001");
	users_free(u);
}

static void test_find(void **state)
{
	uid_t uid = NOBODYS;

	(void)state;
	assert_int_equal(users_find("root", &uid), 0);
	assert_int_equal(uid, 0);
	assert_int_equal(users_find("4000000001", &uid), 0);
	assert_int_equal(uid, 4000000001U);
	assert_int_equal(users_find("0", &uid), 0);
	assert_int_equal(uid, 0);

	uid = 7;
	assert_int_equal(users_find("", &uid), -ENOENT);
	assert_int_equal(users_find("no such user", &uid), -ENOENT);
	assert_int_equal(users_find("-1", &uid), -ENOENT);
	assert_int_equal(users_find("+0", &uid), -ENOENT);
	assert_int_equal(users_find(" 0", &uid), -ENOENT);
	assert_int_equal(users_find("0x0", &uid), -ENOENT);
	assert_int_equal(users_find("4294967295", &uid), -ENOENT);
	assert_int_equal(users_find("4294967296", &uid), -ENOENT);
	assert_int_equal(users_find("99999999999999999999999", &uid), -ENOENT);
	assert_int_equal(uid, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names),
	    cmocka_unit_test(test_every_user),
	    cmocka_unit_test(test_many),
	    cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
