/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One clock call, made in a chosen way: shared by the workloads, which count
 * how often they do it.
 */
#ifndef WORKLOADS_WAYS_H
#define WORKLOADS_WAYS_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum kind {
	GETTIME,
	GETRES,
	GETTIMEOFDAY,
	TIME,
	GETTIME64, /* 32-bit tables only */
	GETRES64,
	NR_KIND,
};

enum way {
	WAY_RAW,      /* libc's syscall() */
	WAY_ASM,      /* a syscall instruction in the program's own text */
	WAY_LIBC,     /* libc's function for the call */
	WAY_VDSO,     /* the vDSO's function */
	WAY_INT80,    /* int $0x80: the i386 table, from a 64-bit program */
	WAY_VSYSCALL, /* the legacy vsyscall page */
	NR_WAY,
};

struct spec {
	enum kind kind;
	enum way way;
	int clock;
	void *buffer; /* where the answer goes */
};

static const char *const kind_names[NR_KIND] = {"gettime", "getres",	"gettimeofday",
						"time",	   "gettime64", "getres64"};
static const char *const way_names[NR_WAY] = {"raw", "asm", "libc", "vdso", "int80", "vsyscall"};

static inline int index_of(const char *const names[], int nr, const char *name)
{
	for (int i = 0; i < nr; i++) {
		if (strcmp(names[i], name) == 0)
			return i;
	}
	fprintf(stderr, "no such word: %s\n", name);
	exit(2);
}

/* The native table's number, or one that no kernel has. */
static inline long native_number(enum kind kind)
{
	switch (kind) {
	case GETTIME:
		return SYS_clock_gettime;
	case GETRES:
		return SYS_clock_getres;
	case GETTIMEOFDAY:
		return SYS_gettimeofday;
#ifdef SYS_time
	case TIME:
		return SYS_time;
#endif
#ifdef SYS_clock_gettime64
	case GETTIME64:
		return SYS_clock_gettime64;
	case GETRES64:
		return SYS_clock_getres_time64;
#endif
	default:
		return 100000;
	}
}

/* A system call without libc: the answer is the kernel's, 0 or -errno. */
static inline long asm_syscall(long number, long a, long b)
{
#if defined(__x86_64__)
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(number), "D"(a), "S"(b)
			 : "rcx", "r11", "memory");
	return ret;
#elif defined(__i386__)
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(number), "b"(a), "c"(b) : "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1) : "memory");
	return x0;
#else
	return syscall(number, a, b);
#endif
}

#ifdef __x86_64__
static inline long int80(long number, long a, long b)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(number), "b"(a), "c"(b)
			 : "r8", "r9", "r10", "r11", "memory");
	return ret;
}
#endif

/* The vDSO's function of that name, from its own symbol table. */
static inline void *vdso_function(const char *name)
{
	unsigned long base = getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)base;
	const ElfW(Sym) *symbols = NULL;
	const char *strings = NULL;
	const ElfW(Word) *hash = NULL;
	unsigned long load = base;

	if (!base)
		return NULL;
	for (int i = 0; i < header->e_phnum; i++) {
		const ElfW(Phdr) *p = (const ElfW(Phdr) *)(base + header->e_phoff) + i;

		if (p->p_type == PT_LOAD)
			load = base + p->p_offset - p->p_vaddr;
	}
	for (int i = 0; i < header->e_phnum; i++) {
		const ElfW(Phdr) *p = (const ElfW(Phdr) *)(base + header->e_phoff) + i;

		if (p->p_type != PT_DYNAMIC)
			continue;
		for (const ElfW(Dyn) *d = (const ElfW(Dyn) *)(base + p->p_offset); d->d_tag; d++) {
			const void *at = (const void *)(load + d->d_un.d_ptr);

			if (d->d_tag == DT_SYMTAB)
				symbols = at;
			else if (d->d_tag == DT_STRTAB)
				strings = at;
			else if (d->d_tag == DT_HASH)
				hash = at;
		}
	}
	if (!symbols || !strings || !hash)
		return NULL;
	for (ElfW(Word) i = 0; i < hash[1]; i++) {
		if (symbols[i].st_shndx && strcmp(strings + symbols[i].st_name, name) == 0)
			return (void *)(load + symbols[i].st_value);
	}
	return NULL;
}

static inline void *vdso_function_of(enum kind kind)
{
#ifdef __aarch64__
	static const char *const names[NR_KIND] = {
	    "__kernel_clock_gettime", "__kernel_clock_getres", "__kernel_gettimeofday", "", "", ""};
#else
	static const char *const names[NR_KIND] = {"__vdso_clock_gettime",   "__vdso_clock_getres",
						   "__vdso_gettimeofday",    "__vdso_time",
						   "__vdso_clock_gettime64", ""};
#endif
	static void *found[NR_KIND];

	if (!found[kind])
		found[kind] = vdso_function(names[kind]);
	if (!found[kind]) {
		fprintf(stderr, "the vDSO has no %s\n", names[kind]);
		exit(2);
	}
	return found[kind];
}

/* Fills in the words of the command line. */
static inline struct spec spec_parse(const char *kind, const char *way, bool bad_pointer)
{
	struct spec s = {
	    .kind = index_of(kind_names, NR_KIND, kind),
	    .way = index_of(way_names, NR_WAY, way),
	};
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;

#ifdef MAP_32BIT
	flags |= MAP_32BIT; /* int $0x80 takes 32-bit pointers */
#endif
	s.buffer = mmap(NULL, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (s.buffer == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	if (bad_pointer)
		s.buffer = (void *)1;
	if (s.way == WAY_VDSO)
		vdso_function_of(s.kind);
	return s;
}

/* Makes the call once.  Returns what it returned. */
static inline long spec_call(const struct spec *s)
{
	bool has_clock = s->kind != GETTIMEOFDAY && s->kind != TIME;
	long a = has_clock ? s->clock : (long)s->buffer;
	long b = has_clock ? (long)s->buffer : 0;

	switch (s->way) {
	case WAY_RAW:
		return syscall(native_number(s->kind), a, b);
	case WAY_ASM:
		return asm_syscall(native_number(s->kind), a, b);
	case WAY_LIBC:
		switch (s->kind) {
		case GETTIME:
			return clock_gettime(s->clock, s->buffer);
		case GETRES:
			return clock_getres(s->clock, s->buffer);
		case GETTIMEOFDAY:
			return gettimeofday(s->buffer, NULL);
		case TIME:
			return time(s->buffer);
		default:
			break;
		}
		break;
	case WAY_VDSO:
		return ((int (*)(long, long))vdso_function_of(s->kind))(a, b);
#ifdef __x86_64__
	case WAY_INT80: {
		static const int i386[NR_KIND] = {265, 266, 78, 13, 403, 406};

		return int80(i386[s->kind], a, b);
	}
	case WAY_VSYSCALL: {
		unsigned long page = 0xffffffffff600000;

		if (s->kind == TIME)
			return ((long (*)(void *))(page + 0x400))(s->buffer);
		if (s->kind == GETTIMEOFDAY)
			return ((int (*)(void *, void *))page)(s->buffer, NULL);
		break;
	}
#endif
	default:
		break;
	}
	fprintf(stderr, "%s cannot be made by %s here\n", kind_names[s->kind], way_names[s->way]);
	exit(2);
}

#endif
