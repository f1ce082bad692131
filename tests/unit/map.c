// SPDX-License-Identifier: GPL-2.0-only
/* The hash map, against a plain array that does the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "map.h"

#define KEYS 512

static void random_puts_and_removes_agree_with_an_array(void **state)
{
	uint32_t values[KEYS] = {0};
	bool there[KEYS] = {false};
	size_t used = 0, seen, at;
	const void *key;
	uint32_t *value;
	struct map m;
	bool fresh;
	int round;

	(void)state;
	srand(1);
	map_init(&m, sizeof(uint64_t), sizeof(uint32_t));
	for (round = 0; round < 200000; round++) {
		uint64_t k = (uint64_t)(rand() % KEYS);

		if (rand() % 2) {
			value = map_put(&m, &k, &fresh);
			assert_non_null(value);
			assert_int_equal(fresh, !there[k]);
			assert_int_equal(*value, fresh ? 0 : values[k]);
			used += fresh;
			*value = values[k] = (uint32_t)round;
			there[k] = true;
		} else {
			assert_int_equal(map_remove(&m, &k), there[k]);
			used -= there[k];
			there[k] = false;
		}
		assert_int_equal(m.used, used);
	}
	for (uint64_t k = 0; k < KEYS; k++) {
		value = map_get(&m, &k);
		assert_int_equal(value != NULL, there[k]);
		if (value)
			assert_int_equal(*value, values[k]);
	}
	for (at = 0, seen = 0; (value = map_each(&m, &at, &key)); seen++)
		assert_int_equal(*value, values[*(const uint64_t *)key]);
	assert_int_equal(seen, used);
	map_clear(&m);
	assert_int_equal(m.used, 0);
	at = 0;
	assert_null(map_each(&m, &at, NULL));
	map_free(&m);
}

static void an_empty_map_has_nothing(void **state)
{
	uint64_t k = 1;
	size_t at = 0;
	struct map m;

	(void)state;
	map_init(&m, sizeof(k), 1);
	assert_null(map_get(&m, &k));
	assert_false(map_remove(&m, &k));
	assert_null(map_each(&m, &at, NULL));
	map_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_puts_and_removes_agree_with_an_array),
	    cmocka_unit_test(an_empty_map_has_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
