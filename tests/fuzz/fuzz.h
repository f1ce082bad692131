/* SPDX-License-Identifier: GPL-2.0-only */
/* What the fuzz targets share.  Each is one file with LLVMFuzzerTestOneInput(). */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Unlike assert() it prints nothing, so that it works with standard error
 * closed; the fuzzer prints where it happened. */
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

/* The bytes and a NUL, in memory of exactly that size, so that a read behind
 * the end is seen.  The caller frees it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	CHECK(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif
