// SPDX-License-Identifier: GPL-2.0-only
/* What is left after privilege_drop(): of what the test itself may do, run as
 * root or not. */
#include "privilege.h"

#include <stdbool.h>
#include <sys/capability.h>
#include <sys/prctl.h>

#include "process.h"

static const cap_value_t kept[] = {CAP_BPF, CAP_PERFMON, CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH};

static bool is_kept(cap_value_t cap)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (kept[i] == cap)
			return true;
	return false;
}

static bool has(cap_t set, cap_value_t cap, cap_flag_t flag)
{
	cap_flag_value_t value;

	CHECK(cap_get_flag(set, cap, flag, &value) == 0);
	return value == CAP_SET;
}

static void only_the_kept(void)
{
	cap_t before = cap_get_proc(), after;
	bool may_bound = has(before, CAP_SETPCAP, CAP_EFFECTIVE);
	uid_t uid = geteuid();

	CHECK(privilege_drop() == 0);
	after = cap_get_proc();
	for (cap_value_t cap = 0; cap < cap_max_bits(); cap++) {
		bool stays = is_kept(cap) && has(before, cap, CAP_PERMITTED);

		CHECK(has(after, cap, CAP_PERMITTED) == stays);
		CHECK(has(after, cap, CAP_EFFECTIVE) == stays);
		CHECK(!has(after, cap, CAP_INHERITABLE));
		CHECK(cap_get_ambient(cap) == 0);
		CHECK(!may_bound || cap_get_bound(cap) == 0);
	}
	CHECK(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
	CHECK(geteuid() == uid);
	CHECK(privilege_drop() == 0); /* nothing left to drop */
	cap_free(before);
	cap_free(after);
}

/* With fewer than the four: those that are there stay, none is gained. */
static void fewer(void)
{
	const cap_value_t few[] = {CAP_BPF, CAP_PERFMON, CAP_KILL};
	cap_t before = cap_get_proc(), set = cap_init(), after;

	for (size_t i = 0; i < sizeof(few) / sizeof(few[0]); i++)
		if (has(before, few[i], CAP_PERMITTED))
			CHECK(cap_set_flag(set, CAP_PERMITTED, 1, &few[i], CAP_SET) == 0);
	CHECK(cap_set_proc(set) == 0);
	CHECK(privilege_drop() == 0);
	after = cap_get_proc();
	CHECK(has(after, CAP_BPF, CAP_EFFECTIVE) == has(before, CAP_BPF, CAP_PERMITTED));
	CHECK(has(after, CAP_PERFMON, CAP_EFFECTIVE) == has(before, CAP_PERFMON, CAP_PERMITTED));
	CHECK(!has(after, CAP_SYS_PTRACE, CAP_PERMITTED));
	CHECK(!has(after, CAP_DAC_READ_SEARCH, CAP_PERMITTED));
	CHECK(!has(after, CAP_KILL, CAP_PERMITTED));
	cap_free(before);
	cap_free(set);
	cap_free(after);
}

TEST_IN_CHILD(only_the_kept)
TEST_IN_CHILD(fewer)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_only_the_kept),
	    cmocka_unit_test(test_fewer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
