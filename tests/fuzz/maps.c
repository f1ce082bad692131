// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of /proc/PID/maps: any bytes, and then the bytes as the path of a line
 * as the kernel writes it, which must change nothing but the path.
 */
#include <inttypes.h>
#include <stdio.h>

#include "caller.h"
#include "fuzz.h"
#include "maps.h"

static void parse_anything(const char *text)
{
	const char *end = text + strlen(text);
	struct mapping m;

	if (!maps_parse(text, &m))
		return;
	CHECK(m.start <= m.end);
	CHECK(m.path >= text && m.path <= end);
	CHECK(strlen(m.path) == (size_t)(end - m.path));
	caller_tool(m.path);
}

static void parse_path(const char *path)
{
	size_t size = strlen(path) + 128;
	char *line = malloc(size);
	struct mapping m;

	CHECK(line != NULL);
	snprintf(line, size, "7f0012345000-7f0012347000 r-xp 00001000 fd:1f %-26d%s", 4711, path);
	CHECK(maps_parse(line, &m));
	CHECK(m.start == 0x7f0012345000 && m.end == 0x7f0012347000 && m.offset == 0x1000);
	CHECK(m.major == 0xfd && m.minor == 0x1f && m.ino == 4711);
	CHECK(m.readable && !m.writable && m.executable);
	/* Blanks stand before a path and may be at its head. */
	CHECK(strcmp(m.path, path + strspn(path, " ")) == 0);
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	parse_anything(text);
	parse_path(text);
	free(text);
	return 0;
}
