/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an ELF file says about one place in it: the function that holds an
 * offset, and what kind of file it is.  Files can be hostile: nothing is
 * mapped (a file cut short under a mapping kills its reader), reads are
 * bounded, and no count or offset in the file is trusted.
 */
#ifndef CLOCKTOP_ELFSYM_H
#define CLOCKTOP_ELFSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELFSYM_NAME 256	  /* longer names are cut */
#define ELFSYM_INTERP 256 /* longer paths are left out */

struct elfsym {
	char symbol[ELFSYM_NAME];   /* function holding the offset, raw bytes, without
				     * a version; "" when no symbol covers it */
	bool symtab;		    /* it has the full symbol table: it is not stripped */
	bool dynsym;		    /* it exports or imports symbols */
	bool libc;		    /* it defines the code that starts a C program:
				     * it is a libc, or holds one (static) */
	bool shared_libc;	    /* it exports that code: a libc, not a program */
	bool go;		    /* built by Go's linker */
	char soname[64];	    /* DT_SONAME, or "" */
	char interp[ELFSYM_INTERP]; /* PT_INTERP, or "" */
};

/* Reads fd, a regular file.  offset is in the file, of an instruction.
 * 0, -ENOEXEC when it is no ELF file that makes sense, or -errno. */
int elfsym_find(int fd, uint64_t offset, struct elfsym *out);

/* Reads PT_INTERP alone; interp becomes "" for a file without one.
 * 0, or as elfsym_find(). */
int elfsym_interp(int fd, char interp[ELFSYM_INTERP]);

#endif
