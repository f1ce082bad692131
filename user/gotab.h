/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The function table that Go's linker leaves in every program, stripped or not,
 * for stack traces (.gopclntab).  Reads it in place: nothing in it is trusted.
 */
#ifndef CLOCKTOP_GOTAB_H
#define CLOCKTOP_GOTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the function that holds address.  The table is `size` bytes at `offset`
 * of the file; text is where the program's text section begins.  name is
 * NUL-terminated, cut to fit, and "" when false is returned: no such function,
 * or a table of a Go older than 1.18.
 * Source: Go's src/debug/gosym/pclntab.go, src/runtime/symtab.go. */
bool gotab_find(int fd, uint64_t offset, uint64_t size, uint64_t text, uint64_t address, char *name,
		size_t name_size);

#endif
