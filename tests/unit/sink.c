// SPDX-License-Identifier: GPL-2.0-only
/* Files of records: exact bytes, and hostile ones read back by parsers that
 * share nothing with the writers.  `unit_sink DIRECTORY` writes such files for
 * others to read (tests/unit/foreign.py). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "readback.h"
#include "sink.h"
#include "text.h"
#include "users.h"

static char path[] = "/tmp/clocktop-sink-XXXXXX";
static struct users *users;

static int setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	users = users_new();
	return fd < 0 || close(fd) || !users;
}

static int teardown(void **state)
{
	(void)state;
	users_free(users);
	return unlink(path);
}

/* All of the file; the caller frees it. */
static char *read_file(size_t *len)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	char *text;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	*len = (size_t)st.st_size;
	text = malloc(*len + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, *len, f), *len);
	text[*len] = '\0';
	fclose(f);
	return text;
}

static void expect_file(const char *expected)
{
	size_t len;
	char *text = read_file(&len);

	assert_string_equal(text, expected);
	free(text);
}

static struct record two[] = {
    {
	.proc = {.pid = 4711, .start_ns = 86400000000000},
	.tid = 4711,
	.comm = "java",
	.call = CALL_GETTIMEOFDAY,
	.abi = ABI_X86_64,
	.via = VIA_VDSO,
	.calls = {.count = 1390979},
	.object = "",
	.cause = CAUSE_CLOCKSOURCE,
    },
    {
	.proc = {.pid = 812, .start_ns = 1},
	.tid = 813,
	.comm = "a,\"b\"\nc",
	.container = "0123456789ab",
	.call = CALL_CLOCK_GETTIME,
	.abi = ABI_X86_64,
	.via = VIA_DIRECT,
	.clock = -42,
	.calls = {.count = 10, .errors = 10},
	.object = "[anon]",
	.cause = CAUSE_DIRECT,
    },
};

static struct interval interval_of(struct record *records, size_t nr)
{
	return (struct interval){
	    .end = {.tv_sec = 1000000000, .tv_nsec = 123456789},
	    .seconds = 1.000000159,
	    .host_calls = 1391118,
	    .records = records,
	    .nr = nr,
	};
}

#define TIME "2001-09-09T01:46:40.123456Z"

static void test_csv(void **state)
{
	struct interval iv = interval_of(two, 2);
	struct sink *s;

	(void)state;
	assert_int_equal(sink_open(&s, SINK_CSV, path), 0);
	expect_file("");
	assert_int_equal(sink_write(s, &iv, false, users), 0);
	iv = interval_of(NULL, 0);
	iv.missed = 3;
	assert_int_equal(sink_write(s, &iv, false, users), 0);
	iv = interval_of(two, 2);
	assert_int_equal(sink_write(s, &iv, true, users), 0);
	assert_int_equal(sink_lost(s), 0);
	assert_int_equal(sink_error(s), 0);
	assert_int_equal(sink_close(s), 0);
	expect_file(HEADER TIME ",1.000000159,4711,,86400000000000,java,root,,gettimeofday,x86_64,,"
				"vdso,,1390979,0,1390978.779,clocksource,\n" TIME
				",1.000000159,812,,1,\"a,\"\"b\"\"\nc\",root,0123456789ab,"
				"clock_gettime,x86_64,CPU(tid 5),direct,[anon],10,10,"
				"10.000,direct,\n" TIME
				",1.000000159,,,,,,,all,,,host,,1391118,,1391117.779,,0\n"
		    /* silence, but not death */
		    TIME ",1.000000159,,,,,,,all,,,host,,1391118,,1391117.779,,3\n"
		    /* with threads */
		    TIME ",1.000000159,4711,4711,86400000000000,java,root,,gettimeofday,x86_64,"
				",vdso,,1390979,0,1390978.779,clocksource,\n" TIME
				",1.000000159,812,813,1,\"a,\"\"b\"\"\nc\",root,0123456789ab,"
				"clock_gettime,x86_64,CPU(tid 5),direct,[anon],10,10,10.000,"
				"direct,\n" TIME
				",1.000000159,,,,,,,all,,,host,,1391118,,1391117.779,,0\n");

	/* opened again, it starts anew; created it is not opened at all */
	assert_int_equal(sink_create(&s, SINK_CSV, path), -EEXIST);
	assert_int_equal(sink_open(&s, SINK_CSV, path), 0);
	expect_file("");
	assert_int_equal(sink_close(s), 0);
	assert_int_equal(sink_open(&s, SINK_CSV, "/nowhere/file"), -ENOENT);
	assert_int_equal(sink_close(NULL), 0);
}

static void test_json(void **state)
{
	struct interval iv = interval_of(two, 2);
	struct sink *s;

	(void)state;
	assert_int_equal(sink_open(&s, SINK_JSON, path), 0);
	assert_int_equal(sink_write(s, &iv, true, users), 0);
	assert_int_equal(sink_close(s), 0);
	expect_file("{\"time\":\"" TIME "\",\"interval_s\":1.000000159,\"pid\":4711,\"tid\":4711,"
		    "\"start_ns\":86400000000000,\"comm\":\"java\",\"user\":\"root\","
		    "\"container\":\"\",\"syscall\":\"gettimeofday\",\"abi\":\"x86_64\","
		    "\"clock\":\"\",\"via\":\"vdso\",\"object\":\"\",\"count\":1390979,"
		    "\"errors\":0,\"rate\":1390978.779,\"cause\":\"clocksource\",\"missed\":null}\n"
		    "{\"time\":\"" TIME "\",\"interval_s\":1.000000159,\"pid\":812,\"tid\":813,"
		    "\"start_ns\":1,\"comm\":\"a,\\\"b\\\"\\nc\",\"user\":\"root\","
		    "\"container\":\"0123456789ab\",\"syscall\":\"clock_gettime\","
		    "\"abi\":\"x86_64\",\"clock\":\"CPU(tid 5)\",\"via\":\"direct\","
		    "\"object\":\"[anon]\",\"count\":10,\"errors\":10,\"rate\":10.000,"
		    "\"cause\":\"direct\",\"missed\":null}\n"
		    "{\"time\":\"" TIME "\",\"interval_s\":1.000000159,\"pid\":null,\"tid\":null,"
		    "\"start_ns\":null,\"comm\":\"\",\"user\":\"\",\"container\":\"\","
		    "\"syscall\":\"all\",\"abi\":\"\",\"clock\":\"\",\"via\":\"host\","
		    "\"object\":\"\",\"count\":1391118,\"errors\":null,\"rate\":1391117.779,"
		    "\"cause\":\"\",\"missed\":0}\n");
}

static void limit_size(rlim_t size)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = size;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* An interval that did not fit is missing whole, and counted; the header comes
 * with the first that fits. */
static void test_lost(void **state)
{
	struct interval iv = interval_of(two, 2), empty = interval_of(NULL, 0);
	struct sink *s;
	int ends[2], saved;

	(void)state;
	assert_int_equal(sink_open(&s, SINK_CSV, path), 0);
	limit_size(200); /* in the middle of the first record */
	assert_int_equal(sink_write(s, &iv, false, users), -EFBIG);
	assert_int_equal(sink_write(s, &iv, false, users), -EFBIG);
	expect_file("");
	assert_int_equal(sink_write(s, &empty, false, users), 0);
	limit_size(RLIM_INFINITY);
	assert_int_equal(sink_lost(s), 2);
	assert_int_equal(sink_error(s), -EFBIG);
	assert_int_equal(sink_close(s), 0);
	expect_file(HEADER TIME ",1.000000159,,,,,,,all,,,host,,1391118,,1391117.779,,0\n");

	assert_int_equal(sink_open(&s, SINK_JSON, "/dev/full"), 0);
	assert_int_equal(sink_write(s, &iv, false, users), -ENOSPC);
	assert_int_equal(sink_lost(s), 1);
	assert_int_equal(sink_error(s), -ENOSPC);
	assert_int_equal(sink_close(s), 0);

	/* a reader that went away has what it wanted */
	assert_int_equal(pipe(ends), 0);
	saved = dup(STDOUT_FILENO);
	dup2(ends[1], STDOUT_FILENO);
	assert_int_equal(sink_open(&s, SINK_CSV, "-"), 0);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(ends[1]);
	close(ends[0]);
	assert_int_equal(sink_write(s, &iv, false, users), -EPIPE);
	assert_int_equal(sink_lost(s), 0);
	sink_hurry(s);
	sink_hurry(NULL);
	assert_int_equal(sink_close(s), 0);
}

/* What hurts a parser, more often than other bytes. */
static char hostile_byte(void)
{
	static const unsigned char hot[] = {',',  '"',	'\n', '\r', '\\', '\'', '=',  ' ',
					    '\t', 0x1b, 0x7f, 0xc3, 0xa9, 0xe2, 0x80, 0xa8,
					    0xf0, 0x9f, 0x98, 0xed, 0xa0, 0xff, '{',  'a'};

	return (char)(random() % 3 ? hot[(size_t)random() % sizeof(hot)] : 1 + random() % 255);
}

static void fill(char *bytes, size_t room)
{
	size_t len = (size_t)random() % (room + 1);

	for (size_t i = 0; i < len; i++)
		bytes[i] = hostile_byte();
	bytes[len] = '\0';
}

static void expect_text(const struct value *v, const char *bytes)
{
	char valid[1024];
	size_t len = text_valid_utf8(valid, sizeof(valid), bytes, strlen(bytes));

	assert_int_equal(v->len, len);
	assert_memory_equal(v->text, valid, len);
	assert_false(v->number);
}

#define NR_HOSTILE 300

static struct record hostile[NR_HOSTILE];

/* Fills in all of them, as random() says. */
static void make_hostile(void)
{
	static char objects[NR_HOSTILE][OBJECT_NAME];

	for (size_t i = 0; i < NR_HOSTILE; i++) {
		struct record *r = &hostile[i];

		*r = two[1];
		r->proc.pid = (uint32_t)random();
		r->proc.start_ns = (uint64_t)random() << 22;
		fill(r->comm, sizeof(r->comm) - 1);
		fill(r->container, sizeof(r->container) - 1);
		fill(objects[i], sizeof(objects[i]) - 1);
		r->object = objects[i];
	}
}

static void test_round_trip(void **state)
{
	/* by column: n a number, t text */
	static const char types[] = "tnnnnttttttttnnntn";

	(void)state;
	srandom(2);
	for (int round = 0; round < 30; round++) {
		enum sink_format format = round % 2 ? SINK_JSON : SINK_CSV;
		struct interval iv = interval_of(hostile, NR_HOSTILE);
		struct value values[NR_COLUMNS] = {0};
		const char *p, *end;
		struct sink *s;
		size_t len;
		char *text;

		make_hostile();
		assert_int_equal(sink_open(&s, format, path), 0);
		assert_int_equal(sink_write(s, &iv, false, users), 0);
		assert_int_equal(sink_close(s), 0);

		text = read_file(&len);
		p = text;
		end = text + len;
		if (format == SINK_CSV) {
			assert_memory_equal(p, HEADER, strlen(HEADER));
			p += strlen(HEADER);
		}
		for (size_t i = 0; i <= NR_HOSTILE; i++) {
			const struct record *r = i < NR_HOSTILE ? &hostile[i] : NULL;
			char number[32];

			assert_true(format == SINK_CSV ? parse_csv(&p, end, values)
						       : parse_json(&p, end, values));
			expect_text(&values[5], r ? r->comm : "");
			expect_text(&values[7], r ? r->container : "");
			expect_text(&values[8], r ? "clock_gettime" : "all");
			expect_text(&values[12], r ? r->object : "");
			snprintf(number, sizeof(number), "%u", r ? r->proc.pid : 0);
			assert_int_equal(values[2].len, r ? strlen(number) : 0);
			assert_memory_equal(values[2].text, number, values[2].len);
			snprintf(number, sizeof(number), "%llu",
				 r ? (unsigned long long)r->proc.start_ns : 0);
			assert_memory_equal(values[4].text, number, values[4].len);
			for (int c = 0; c < NR_COLUMNS; c++)
				assert_int_equal(values[c].number,
						 format == SINK_JSON && types[c] == 'n');
		}
		assert_ptr_equal(p, end); /* one record each, and no more */
		free(text);
	}
}

/* An interval as large as 10,000 threads make. */
static void test_large(void **state)
{
	enum { RECORDS = 10000 };
	struct record *records = calloc(RECORDS, sizeof(*records));
	struct interval iv = interval_of(records, RECORDS);
	struct sink *s;
	size_t len, lines = 0;
	char *text;

	(void)state;
	assert_non_null(records);
	for (size_t i = 0; i < RECORDS; i++)
		records[i] = two[0];
	assert_int_equal(sink_open(&s, SINK_JSON, path), 0);
	assert_int_equal(sink_write(s, &iv, true, users), 0);
	assert_int_equal(sink_close(s), 0);
	text = read_file(&len);
	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	assert_int_equal(lines, RECORDS + 1);
	free(text);
	free(records);
}

static void print_hex(FILE *f, const char *bytes, char end)
{
	for (; *bytes != '\0'; bytes++)
		fprintf(f, "%02x", (unsigned char)*bytes);
	putc(end, f);
}

/* Writes hostile records into directory: records.csv, records.json, and in
 * expected the bytes of comm, container and object as hexadecimal. */
static int write_hostile(const char *directory)
{
	struct interval iv = interval_of(hostile, NR_HOSTILE);
	struct sink *csv, *json;
	FILE *f;

	users = users_new();
	if (!users || chdir(directory) || sink_create(&csv, SINK_CSV, "records.csv") ||
	    sink_create(&json, SINK_JSON, "records.json"))
		return 1;
	make_hostile();
	if (sink_write(csv, &iv, true, users) || sink_write(json, &iv, true, users) ||
	    sink_close(csv) || sink_close(json))
		return 1;
	users_free(users);
	f = fopen("expected", "we");
	if (!f)
		return 1;
	for (size_t i = 0; i < NR_HOSTILE; i++) {
		print_hex(f, hostile[i].comm, ' ');
		print_hex(f, hostile[i].container, ' ');
		print_hex(f, hostile[i].object, '\n');
	}
	return fclose(f) != 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_csv),	  cmocka_unit_test(test_json),
	    cmocka_unit_test(test_lost),  cmocka_unit_test(test_round_trip),
	    cmocka_unit_test(test_large),
	};

	if (argc > 1)
		return write_hostile(argv[1]);
	return cmocka_run_group_tests(tests, setup, teardown);
}
