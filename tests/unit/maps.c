// SPDX-License-Identifier: GPL-2.0-only
/* Lines of /proc/PID/maps, as the kernel writes them and otherwise. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "maps.h"

static void a_line_is_taken_apart(void **state)
{
	struct mapping m;

	(void)state;
	assert_true(maps_parse("7f670eb4b000-7f670eb4d000 r-xp 00001000 fe:0a 4711"
			       "                         /usr/lib/a b (c)\\012d",
			       &m));
	assert_int_equal(m.start, 0x7f670eb4b000);
	assert_int_equal(m.end, 0x7f670eb4d000);
	assert_int_equal(m.offset, 0x1000);
	assert_int_equal(m.major, 0xfe);
	assert_int_equal(m.minor, 0xa);
	assert_int_equal(m.ino, 4711);
	assert_true(m.readable && !m.writable && m.executable);
	assert_string_equal(m.path, "/usr/lib/a b (c)\\012d");

	assert_true(maps_parse("0-ffffffffffffffff ---p ffffffffffffffff 00:00 0", &m));
	assert_int_equal(m.end, UINT64_MAX);
	assert_string_equal(m.path, "");
	assert_false(m.readable || m.writable || m.executable);
	assert_true(maps_parse("1000-2000 rw-s 00000000 00:00 0  [vdso]", &m));
	assert_string_equal(m.path, "[vdso]");
}

static void what_is_no_line_is_refused(void **state)
{
	static const char *const lines[] = {
	    "",
	    "x",
	    "1000",
	    "1000-",
	    "1000-2000",
	    "1000-2000 ",
	    "1000-2000 r",
	    "1000-2000 r-xp",
	    "1000-2000 r-xp ",
	    "1000-2000 r-xp 0",
	    "1000-2000 r-xp 0 0",
	    "1000-2000 r-xp 0 0:",
	    "1000-2000 r-xp 0 0:0",
	    "1000-2000 r-xp 0 0:0 ",
	    "1000-2000 r-xp 0 0:0 x",
	    "2000-1000 r-xp 0 0:0 0 ",
	    "-1000-2000 r-xp 0 0:0 0 ",
	    " 1000-2000 r-xp 0 0:0 0 ",
	    "+1000-2000 r-xp 0 0:0 0 ",
	    "11111111111111111-2 r-xp 0 0:0 0 ",
	    "1000-2000 r-xp 0 fffffffff:0 0 ",
	};
	struct mapping m;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_false(maps_parse(lines[i], &m));
}

struct seen {
	uintptr_t address;
	bool found;
	long limit;
};

static bool note(const struct mapping *m, void *arg)
{
	struct seen *seen = arg;

	seen->found |= seen->address >= m->start && seen->address < m->end;
	return --seen->limit != 0;
}

/* Thousands of lines, more than one buffer holds. */
static void every_mapping_is_seen(void **state)
{
	enum { PAGES = 6000 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, PAGES * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct seen seen;

	(void)state;
	assert_ptr_not_equal(area, MAP_FAILED);
	for (size_t i = 0; i < PAGES; i += 2)
		assert_int_equal(mprotect(area + i * page, page, PROT_READ | PROT_WRITE), 0);
	seen = (struct seen){.address = (uintptr_t)area + (PAGES - 1) * page};
	assert_true(maps_each((uint32_t)getpid(), note, &seen) >= PAGES);
	assert_true(seen.found);
	seen = (struct seen){.limit = 3};
	assert_int_equal(maps_each((uint32_t)getpid(), note, &seen), 3);
	assert_int_equal(maps_each(UINT32_MAX, note, &seen), -ENOENT);
	assert_int_equal(munmap(area, PAGES * page), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_line_is_taken_apart),
	    cmocka_unit_test(what_is_no_line_is_refused),
	    cmocka_unit_test(every_mapping_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
