// SPDX-License-Identifier: GPL-2.0-only
#include "gotab.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define MAGIC_118 0xfffffff0U
#define MAGIC_120 0xfffffff1U
#define MAX_FUNCTIONS (4U << 20)

/* The head, on 64-bit machines: 32-bit ones are left out. */
struct head {
	uint32_t magic;
	uint8_t pad[2], quantum, pointer_size;
	uint64_t functions, files;
	uint64_t text; /* 0: not said */
	uint64_t names, units, file_names, pcs, table;
};

/* Offsets from the beginning of the text, and of the function's data in the
 * table; sorted. */
struct entry {
	uint32_t start, data;
};

/* The head of a function's data. */
struct function {
	uint32_t start;
	int32_t name;
};

struct gotab {
	int fd;
	uint64_t offset, size;
};

/* Exactly len bytes at `at` of the table. */
static bool take(const struct gotab *t, uint64_t at, void *to, size_t len)
{
	if (at > t->size || len > t->size - at || t->offset > INT64_MAX - at)
		return false;
	return pread(t->fd, to, len, (off_t)(t->offset + at)) == (ssize_t)len;
}

/* The last function that begins at or before `start`. */
static bool find_entry(const struct gotab *t, const struct head *h, uint64_t start,
		       struct entry *found)
{
	uint64_t low = 0, high = h->functions;

	if (high > MAX_FUNCTIONS)
		return false;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		struct entry e;

		if (!take(t, h->table + middle * sizeof(e), &e, sizeof(e)))
			return false;
		if (e.start > start) {
			high = middle;
			continue;
		}
		*found = e;
		low = middle + 1;
	}
	return low > 0;
}

bool gotab_find(int fd, uint64_t offset, uint64_t size, uint64_t text, uint64_t address, char *name,
		size_t name_size)
{
	const struct gotab t = {fd, offset, size};
	struct function f;
	struct entry e = {0};
	struct head h;
	uint32_t end;
	ssize_t len;

	name[0] = '\0';
	if (!take(&t, 0, &h, sizeof(h)) || (h.magic != MAGIC_118 && h.magic != MAGIC_120) ||
	    h.pointer_size != 8)
		return false;
	if (h.text)
		text = h.text;
	if (address < text || address - text > UINT32_MAX || h.table > size || h.names > size)
		return false;
	/* Behind the last entry stands where the text ends. */
	if (!find_entry(&t, &h, address - text, &e) ||
	    !take(&t, h.table + h.functions * sizeof(e), &end, sizeof(end)) ||
	    address - text >= end)
		return false;
	if (!take(&t, h.table + e.data, &f, sizeof(f)) || f.start != e.start || f.name < 0 ||
	    (uint64_t)f.name >= size - h.names)
		return false;
	do {
		len = pread(fd, name, name_size - 1, (off_t)(offset + h.names + (uint64_t)f.name));
	} while (len < 0 && errno == EINTR);
	name[len > 0 ? len : 0] = '\0';
	return name[0];
}
