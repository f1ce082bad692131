// SPDX-License-Identifier: GPL-2.0-only
/* Go's table of functions, right and wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "gotab.h"

#define AT 64 /* where the table stands in the file */
#define TEXT 0x401000
#define END 0x300 /* of the text, from its beginning */

/* Two functions: "a" at 0x100, "main.readClock" at 0x200. */
static struct table {
	uint32_t magic;
	uint8_t pad[2], quantum, pointer_size;
	uint64_t functions, files, text, names, units, file_names, pcs, table;
	char name[32];
	uint32_t entries[5];
	uint32_t data[2][2];
} good = {
    .magic = 0xfffffff0,
    .quantum = 1,
    .pointer_size = 8,
    .functions = 2,
    .text = TEXT,
    .names = offsetof(struct table, name),
    .table = offsetof(struct table, entries),
    .name = "a\0main.readClock",
    .entries = {0x100, 20, 0x200, 28, END},
    .data = {{0x100, 0}, {0x200, 2}},
};

static int fd;

static bool find(const struct table *t, size_t size, uint64_t text, uint64_t address, char name[16])
{
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, t, sizeof(*t), AT), sizeof(*t));
	return gotab_find(fd, AT, size, text, address, name, 16);
}

static void functions_are_found(void **state)
{
	struct table t = good;
	char name[16];

	(void)state;
	assert_true(find(&t, sizeof(t), 0, TEXT + 0x100, name));
	assert_string_equal(name, "a");
	assert_true(find(&t, sizeof(t), 0, TEXT + 0x1ff, name));
	assert_string_equal(name, "a");
	assert_true(find(&t, sizeof(t), 0, TEXT + 0x200, name));
	assert_string_equal(name, "main.readClock");
	t.magic = 0xfffffff1; /* since 1.20 */
	t.text = 0;	      /* then the section tells */
	assert_true(find(&t, sizeof(t), TEXT, TEXT + END - 1, name));
	assert_string_equal(name, "main.readClock");
}

static void what_is_no_function_is_not_found(void **state)
{
	struct table t = good;
	char name[16];

	(void)state;
	assert_false(find(&t, sizeof(t), 0, TEXT + 0xff, name));
	assert_false(find(&t, sizeof(t), 0, TEXT + END, name));
	assert_false(find(&t, sizeof(t), 0, TEXT - 1, name));
	assert_false(find(&t, sizeof(t), 0, UINT64_MAX, name));
	assert_false(find(&t, 0, 0, TEXT + 0x200, name));
	assert_string_equal(name, "");
	t.magic = 0xfffffffa; /* of Go 1.16 */
	assert_false(find(&t, sizeof(t), 0, TEXT + 0x200, name));
}

static void long_names_are_cut(void **state)
{
	struct table t = good;
	char name[16];

	(void)state;
	memset(t.name, 'x', sizeof(t.name));
	assert_true(find(&t, sizeof(t), 0, TEXT + 0x200, name));
	assert_string_equal(name, "xxxxxxxxxxxxxxx");
}

/* Every bit of it wrong once. */
static void a_damaged_table_harms_nobody(void **state)
{
	char name[16];

	(void)state;
	for (size_t bit = 0; bit < sizeof(good) * 8; bit++) {
		struct table t = good;

		((unsigned char *)&t)[bit / 8] ^= (unsigned char)(1 << bit % 8);
		(void)find(&t, sizeof(t), 0, TEXT + 0x200, name);
		assert_true(strlen(name) < sizeof(name));
	}
}

static int set_up(void **state)
{
	char path[] = "/tmp/clocktop-unit-XXXXXX";

	(void)state;
	fd = mkstemp(path);
	return fd < 0 || unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(functions_are_found),
	    cmocka_unit_test(what_is_no_function_is_not_found),
	    cmocka_unit_test(long_names_are_cut),
	    cmocka_unit_test(a_damaged_table_harms_nobody),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
