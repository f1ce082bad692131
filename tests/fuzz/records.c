// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record whose texts are any bytes, written as CSV and as JSON Lines, parses
 * to the same fields, with parsers of this file's own.
 *
 * The input: 16 bytes of a name, 13 of a container, 4 of a clock, one each of
 * syscall, ABI, via and cause; the rest is the object's name.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "columns.h"
#include "fuzz.h"
#include "sink.h"
#include "text.h"
#include "users.h"

#define FIELDS 18
#define HEAD (TASK_COMM + CONTAINER_ID + 8)

enum field {
	FIELD_COMM = 5,
	FIELD_CONTAINER = 7,
	FIELD_OBJECT = 12,
	FIELD_COUNT = 13,
};

/* Fields of one line, unquoted, NUL-terminated. */
struct line {
	char *fields[FIELDS];
	char *memory;
};

static void line_free(struct line *l)
{
	free(l->memory);
}

/* RFC 4180 with LF ends.  Returns what follows the line. */
static const char *parse_csv(struct line *l, const char *p)
{
	char *to = l->memory = malloc(strlen(p) + 1);
	size_t n = 0;

	CHECK(to != NULL);
	for (;;) {
		CHECK(n < FIELDS);
		l->fields[n++] = to;
		if (*p == '"') {
			for (p++; *p != '"' || p[1] == '"'; p++) {
				CHECK(*p);
				p += *p == '"';
				*to++ = *p;
			}
			p++;
		} else {
			for (; *p && !strchr(",\r\n", *p); p++) {
				CHECK(*p != '"');
				*to++ = *p;
			}
		}
		*to++ = '\0';
		CHECK(*p == ',' || *p == '\n');
		if (*p++ == '\n')
			break;
	}
	CHECK(n == FIELDS);
	return p;
}

static unsigned int hex4(const char *p)
{
	unsigned int n = 0;

	for (int i = 0; i < 4; i++) {
		const char *digit = strchr("0123456789abcdef", p[i]);

		CHECK(p[i] && digit);
		n = n * 16 + (unsigned int)(digit - "0123456789abcdef");
	}
	return n;
}

static char *put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* A string of RFC 8259, behind its first quote. */
static const char *parse_string(char **to, const char *p)
{
	static const char plain[] = "\"\"\\\\//b\bf\fn\nr\rt\t";

	for (; *p != '"'; p++) {
		CHECK((unsigned char)*p >= 0x20 && *p != 0x7f);
		if (*p != '\\') {
			*(*to)++ = *p;
		} else if (*++p == 'u') {
			uint32_t c = hex4(p + 1);

			p += 4;
			CHECK(c < 0xdc00 || c > 0xdfff);
			if (c >= 0xd800 && c < 0xdc00) {
				uint32_t low;

				CHECK(p[1] == '\\' && p[2] == 'u');
				low = hex4(p + 3);
				CHECK(low >= 0xdc00 && low <= 0xdfff);
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				p += 6;
			}
			*to = put_utf8(*to, c);
		} else {
			const char *pair = plain;

			while (*pair && *pair != *p)
				pair += 2;
			CHECK(*p && *pair);
			*(*to)++ = pair[1];
		}
	}
	*(*to)++ = '\0';
	return p + 1;
}

static const char *parse_json(struct line *l, const char *p)
{
	char *to = l->memory = malloc(strlen(p) + 1);

	CHECK(to && *p++ == '{');
	for (size_t n = 0; n < FIELDS; n++) {
		char *key = to;

		CHECK(*p++ == '"');
		p = parse_string(&to, p);
		CHECK(strcmp(key, columns[n].name) == 0 && *p++ == ':');
		l->fields[n] = to;
		if (*p == '"') {
			CHECK(columns[n].type == COLUMN_TEXT);
			p = parse_string(&to, p + 1);
		} else {
			size_t len = strcspn(p, ",}");

			CHECK(columns[n].type == COLUMN_NUMBER && len > 0);
			if (strncmp(p, "null", len) != 0) {
				CHECK(strspn(p, "0123456789.") == len);
				memcpy(to, p, len);
				to += len;
			}
			*to++ = '\0';
			p += len;
		}
		CHECK(*p++ == (n == FIELDS - 1 ? '}' : ','));
	}
	CHECK(*p == '\n');
	return p + 1;
}

static char *write_records(enum sink_format format, const struct interval *iv, struct users *users)
{
	int fd = memfd_create("records", MFD_CLOEXEC);
	struct sink *sink = NULL;
	char path[32], *text;
	off_t size;

	CHECK(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK(sink_open(&sink, format, path) == 0);
	CHECK(sink_write(sink, iv, false, users) == 0 && sink_lost(sink) == 0);
	CHECK(sink_close(sink) == 0);
	size = lseek(fd, 0, SEEK_END);
	text = malloc((size_t)size + 1);
	CHECK(text && pread(fd, text, (size_t)size, 0) == size);
	text[size] = '\0';
	CHECK(strlen(text) == (size_t)size);
	close(fd);
	return text;
}

static void check_text(const struct line *l, enum field field, const char *bytes, size_t len)
{
	char *valid = malloc(3 * len + 1);

	CHECK(valid != NULL);
	text_valid_utf8(valid, 3 * len + 1, bytes, len);
	CHECK(strcmp(l->fields[field], valid) == 0);
	free(valid);
}

static void check_record(const struct line *l, const struct record *r)
{
	const char *object = r->via == VIA_DIRECT ? r->object : "";

	check_text(l, FIELD_COMM, r->comm, strnlen(r->comm, sizeof(r->comm)));
	check_text(l, FIELD_CONTAINER, r->container, strnlen(r->container, sizeof(r->container)));
	check_text(l, FIELD_OBJECT, object, strlen(object));
	CHECK(strcmp(l->fields[FIELD_COUNT], "12") == 0);
}

static void check_texts(const char *csv, const char *json, const struct record *r)
{
	struct line from_csv, from_json;

	csv = parse_csv(&from_csv, csv);
	for (size_t i = 0; i < FIELDS; i++)
		CHECK(strcmp(from_csv.fields[i], columns[i].name) == 0);
	line_free(&from_csv);
	for (int i = 0; i < 2; i++) {
		csv = parse_csv(&from_csv, csv);
		json = parse_json(&from_json, json);
		for (size_t f = 0; f < FIELDS; f++)
			CHECK(strcmp(from_csv.fields[f], from_json.fields[f]) == 0);
		if (i == 0)
			check_record(&from_csv, r);
		line_free(&from_csv);
		line_free(&from_json);
	}
	CHECK(!*csv && !*json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct users *users;
	struct record r = {.proc = {.pid = 42, .start_ns = 4711}, .calls = {.count = 12}};
	struct interval iv = {.seconds = 1, .records = &r, .nr = 1, .room = 1};
	char *object, *csv, *json;

	if (!users)
		users = users_new();
	CHECK(users != NULL);
	if (size < HEAD)
		return 0;
	memcpy(r.comm, data, TASK_COMM);
	memcpy(r.container, data + TASK_COMM, CONTAINER_ID);
	data += TASK_COMM + CONTAINER_ID;
	memcpy(&r.clock, data, sizeof(r.clock));
	r.call = data[4] % NR_CALL;
	r.abi = data[5] % NR_ABI;
	r.via = data[6] % NR_VIA;
	r.cause = data[7] % NR_CAUSE;
	object = fuzz_text(data + 8, size - HEAD);
	r.object = object;
	csv = write_records(SINK_CSV, &iv, users);
	json = write_records(SINK_JSON, &iv, users);
	check_texts(csv, json, &r);
	free(csv);
	free(json);
	free(object);
	return 0;
}
