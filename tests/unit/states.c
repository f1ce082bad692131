// SPDX-License-Identifier: GPL-2.0-only
/* The states of tasks: found in any order, their places used again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "states.h"

#define TASKS 1000

/* Makes the states of all multiples of a step, and expects those of `old` steps to
 * be there with what was noted in them. */
static void pass(struct states *s, uint64_t step, uint64_t old)
{
	bool fresh;

	states_begin(s);
	for (uint64_t serial = step; serial <= TASKS; serial += step) {
		struct task_state *t = states_make(s, serial, &fresh);

		assert_non_null(t);
		assert_int_equal(t->serial, serial);
		assert_int_equal(fresh, !old || serial % old != 0);
		assert_int_equal(t->counts[0], fresh ? 0 : serial * 7);
		t->counts[0] = serial * 7;
	}
}

static void what_was_noted_stays_whatever_the_order(void **state)
{
	struct states s;

	(void)state;
	states_init(&s);
	pass(&s, 3, 0);
	pass(&s, 3, 3);
	pass(&s, 1, 3);
	pass(&s, 5, 1);
	pass(&s, 1, 1);
	assert_int_equal(s.nr, TASKS);
	for (uint64_t serial = TASKS; serial; serial--)
		assert_int_equal(states_find(&s, serial)->counts[0], serial * 7);
	assert_null(states_find(&s, TASKS + 1));
	states_free(&s);
}

static void places_are_used_again(void **state)
{
	struct states s;
	bool fresh;

	(void)state;
	states_init(&s);
	pass(&s, 1, 0);
	for (uint64_t serial = 2; serial <= TASKS; serial += 2)
		states_drop(&s, states_find(&s, serial));
	assert_null(states_find(&s, 2));
	for (uint64_t serial = TASKS + 1; serial <= TASKS + TASKS / 2; serial++) {
		struct task_state *t = states_make(&s, serial, &fresh);

		assert_true(fresh);
		assert_int_equal(t->counts[0], 0);
	}
	assert_int_equal(s.nr, TASKS);
	assert_non_null(states_make(&s, 2, &fresh));
	assert_int_equal(s.nr, TASKS + 1);
	assert_int_equal(states_find(&s, 999)->counts[0], 999 * 7);
	states_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_noted_stays_whatever_the_order),
	    cmocka_unit_test(places_are_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
