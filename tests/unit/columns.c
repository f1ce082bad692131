// SPDX-License-Identifier: GPL-2.0-only
/* Each column of a record and of the host's row; and that docs/records.md says
 * what the table says.  `unit_columns --print` prints the document's table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "users.h"

#define BEGIN "<!-- columns begin -->\n"
#define END "<!-- columns end -->\n"
#define NR 18

static const char *const names[NR] = {
    "time", "interval_s", "pid", "tid",	   "start_ns", "comm",	 "user", "container", "syscall",
    "abi",  "clock",	  "via", "object", "count",    "errors", "rate", "cause",     "missed",
};

static void test_names(void **state)
{
	(void)state;
	assert_int_equal(nr_columns, NR);
	for (size_t i = 0; i < NR; i++)
		assert_string_equal(columns[i].name, names[i]);
}

static void expect_row(const struct row_source *row, const char *const values[NR])
{
	struct buffer value = {0};

	for (size_t i = 0; i < NR; i++) {
		buffer_clear(&value);
		columns[i].print(&value, row);
		if (strcmp(buffer_string(&value), values[i]) != 0)
			print_error("column %s\n", columns[i].name);
		assert_string_equal(buffer_string(&value), values[i]);
		assert_int_equal(value.len, strlen(values[i]));
	}
	buffer_free(&value);
}

static const struct record full = {
    .proc = {.pid = 4711, .start_ns = 1234567890123456789},
    .tid = 4712,
    .uid = 4000000001,
    .comm = "exactly15bytes!",
    .container = "0123456789ab",
    .call = CALL_CLOCK_GETTIME64,
    .abi = ABI_I386,
    .via = VIA_DIRECT,
    .clock = CLOCK_MONOTONIC,
    .calls = {.count = 3000000, .errors = 7},
    .object = "lib\nc.so.6",
    .cause = CAUSE_LIBC,
};

static void test_values(void **state)
{
	struct interval iv = {
	    .end = {.tv_sec = 1709210096, .tv_nsec = 987654999},
	    .seconds = 2.000000159,
	    .host_calls = 6000001,
	    .missed = 5,
	};
	struct record r = full;
	struct row_source row = {
	    .interval = &iv,
	    .record = &r,
	    .threads = true,
	    .users = users_new(),
	};

	(void)state;
	expect_row(&row, (const char *const[NR]){
			     "2024-02-29T12:34:56.987654Z", "2.000000159", "4711", "4712",
			     "1234567890123456789", "exactly15bytes!", "4000000001", "0123456789ab",
			     "clock_gettime64", "i386", "CLOCK_MONOTONIC", "direct", "lib\nc.so.6",
			     "3000000", "7", "1499999.881", "libc", ""});

	/* no threads, no container, no clock, an object that is not the caller's */
	row.threads = false;
	r.uid = 0;
	r.container[0] = '\0';
	r.comm[0] = '\0';
	r.call = CALL_GETTIMEOFDAY;
	r.abi = ABI_X86_64;
	r.via = VIA_VDSO;
	r.calls = (struct tally){.count = 1};
	r.cause = CAUSE_CLOCKSOURCE;
	iv.seconds = 1;
	expect_row(&row, (const char *const[NR]){"2024-02-29T12:34:56.987654Z", "1.000000000",
						 "4711", "", "1234567890123456789", "", "root", "",
						 "gettimeofday", "x86_64", "", "vdso", "", "1", "0",
						 "1.000", "clocksource", ""});

	/* direct, and not known by which file's code */
	r.via = VIA_DIRECT;
	r.call = CALL_CLOCK_GETTIME;
	r.clock = (int32_t)(~4713U << 3 | 6);
	r.object = NULL;
	memcpy(r.comm, "no NUL in here..", TASK_COMM);
	r.calls.count = UINT64_MAX;
	r.cause = CAUSE_UNKNOWN;
	expect_row(&row, (const char *const[NR]){
			     "2024-02-29T12:34:56.987654Z", "1.000000000", "4711", "",
			     "1234567890123456789", "no NUL in here..", "root", "", "clock_gettime",
			     "x86_64", "CPU(tid 4713)", "direct", "", "18446744073709551615", "0",
			     "18446744073709551616.000", "unknown", ""});
	users_free(row.users);
}

static void test_host_row(void **state)
{
	struct interval iv = {
	    .end = {.tv_sec = 0, .tv_nsec = 999},
	    .seconds = 0.5,
	    .host_calls = 139,
	    .missed = 5,
	};
	struct row_source row = {.interval = &iv, .threads = true};

	(void)state;
	expect_row(&row, (const char *const[NR]){"1970-01-01T00:00:00.000000Z", "0.500000000", "",
						 "", "", "", "", "", "all", "", "", "host", "",
						 "139", "", "278.000", "", "5"});

	/* no rate over no time, in the year 10000 */
	iv = (struct interval){.end = {.tv_sec = 253402300800}};
	expect_row(&row, (const char *const[NR]){"10000-01-01T00:00:00.000000Z", "0.000000000", "",
						 "", "", "", "", "", "all", "", "", "host", "", "0",
						 "", "", "", "0"});
	iv = (struct interval){.end = {.tv_sec = INT64_MAX}, .seconds = NAN, .host_calls = 1};
	expect_row(&row, (const char *const[NR]){"", "", "", "", "", "", "", "", "all", "", "",
						 "host", "", "1", "", "", "", "0"});
}

/* The table as docs/records.md has it. */
static void print_table(struct buffer *out)
{
	buffer_text(out, "| column | type | content |\n| --- | --- | --- |\n");
	for (size_t i = 0; i < nr_columns; i++)
		buffer_format(out, "| `%s` | %s | %s |\n", columns[i].name,
			      columns[i].type == COLUMN_NUMBER ? "number" : "text",
			      columns[i].meaning);
}

static void test_document(void **state)
{
	static const char path[] = SOURCE_DIR "/docs/records.md";
	struct buffer table = {0}, text = {0}, header = {0};
	FILE *f = fopen(path, "re");
	char *begin, *end;
	size_t n;

	(void)state;
	assert_non_null(f);
	do {
		char part[4096];

		n = fread(part, 1, sizeof(part), f);
		buffer_add(&text, part, n);
	} while (n != 0);
	fclose(f);
	print_table(&table);
	begin = strstr(buffer_string(&text), BEGIN);
	assert_non_null(begin);
	begin += strlen(BEGIN);
	end = strstr(begin, END);
	assert_non_null(end);
	*end = '\0';
	assert_string_equal(begin, buffer_string(&table));

	/* the header line is quoted above the table */
	for (size_t i = 0; i < nr_columns; i++)
		buffer_format(&header, "%s%s", i ? "," : "\n", columns[i].name);
	buffer_char(&header, '\n');
	*begin = '\0';
	assert_non_null(strstr(buffer_string(&text), buffer_string(&header)));
	buffer_free(&table);
	buffer_free(&text);
	buffer_free(&header);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names),
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_host_row),
	    cmocka_unit_test(test_document),
	};

	if (argc > 1 && strcmp(argv[1], "--print") == 0) {
		struct buffer table = {0};

		print_table(&table);
		fputs(buffer_string(&table), stdout);
		buffer_free(&table);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
