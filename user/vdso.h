/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The vDSO: the code that the kernel maps into every process so that it can
 * read the clock without a syscall.  Finds this process's own one and the
 * functions in it, through its ELF dynamic section alone, as a libc does.
 * It knows nothing of clocks being served or of other processes.
 */
#ifndef CLOCKTOP_VDSO_H
#define CLOCKTOP_VDSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

/* A vDSO image: all bytes that are mapped, whole pages.  Its address is that
 * of its first byte. */
struct vdso {
	const unsigned char *image; /* NULL when there is none */
	size_t size;
};

/* This process's own vDSO.  false, and an empty v, when the kernel gave it none
 * (vdso=0), it was unmapped since, or its header is not understood.
 * Source: getauxval(AT_SYSINFO_EHDR); Documentation/ABI/stable/vdso. */
bool vdso_own(struct vdso *v);

/* Offset in the image of the function of that name and symbol version, found
 * by DT_HASH or DT_GNU_HASH; version NULL accepts any.  0 when it has none, or
 * when the image is malformed: nothing outside it is ever read.  Pure. */
size_t vdso_symbol(const struct vdso *v, const char *name, const char *version);

/* Bytes of the image that an ELF header claims, not rounded; 0 when the
 * `size` bytes at image hold no 64-bit ELF header of this machine.  Pure. */
size_t vdso_claimed_size(const unsigned char *image, size_t size);

/* The clock functions.  Each answers as the syscall does: 0 (time: the
 * seconds) or -errno.  NULL where the vDSO has none. */
struct vdso_functions {
	int (*gettime)(clockid_t clock, struct timespec *ts);
	int (*getres)(clockid_t clock, struct timespec *ts);
	int (*gettimeofday)(struct timeval *tv, void *tz);
	time_t (*time)(time_t *t);
};

/* Looks all four up; all NULL for an empty v. */
void vdso_functions(const struct vdso *v, struct vdso_functions *f);

#endif
