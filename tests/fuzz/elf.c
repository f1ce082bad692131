// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file where an ELF file is expected.  The first four bytes are the offset
 * that is asked for.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "caller.h"
#include "elfsym.h"
#include "fuzz.h"

static void check_string(const char *s, size_t size)
{
	CHECK(memchr(s, '\0', size) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct elfsym sym;
	uint32_t offset;
	int err;

	if (size < sizeof(offset))
		return 0;
	memcpy(&offset, data, sizeof(offset));
	data += sizeof(offset);
	size -= sizeof(offset);
	if (fd < 0)
		fd = memfd_create("elf", MFD_CLOEXEC);
	CHECK(fd >= 0 && ftruncate(fd, 0) == 0);
	CHECK(pwrite(fd, data, size, 0) == (ssize_t)size);

	err = elfsym_find(fd, offset, &sym);
	CHECK(err <= 0);
	if (!err) {
		check_string(sym.symbol, sizeof(sym.symbol));
		check_string(sym.soname, sizeof(sym.soname));
		check_string(sym.interp, sizeof(sym.interp));
		CHECK(caller_of(&sym, false, false) < NR_CALLER);
		CHECK(caller_of(&sym, true, false) < NR_CALLER);
		caller_is_wrapper(sym.symbol);
	}
	err = elfsym_interp(fd, sym.interp);
	CHECK(err <= 0);
	if (!err)
		check_string(sym.interp, sizeof(sym.interp));
	return 0;
}
