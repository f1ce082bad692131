// SPDX-License-Identifier: GPL-2.0-only
/*
 * The vDSO has no loader to ask: its dynamic section is read here.  Every
 * address in it is an offset from the lowest loaded one, and is checked
 * against the image's size before it is used.
 */
#include "vdso.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#define VERSION "LINUX_2.6"
#define GETTIME "__vdso_clock_gettime"
#define GETRES "__vdso_clock_getres"
#define GETTIMEOFDAY "__vdso_gettimeofday"
#define TIME "__vdso_time"
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#define VERSION "LINUX_2.6.39"
#define GETTIME "__kernel_clock_gettime"
#define GETRES "__kernel_clock_getres"
#define GETTIMEOFDAY "__kernel_gettimeofday"
#define TIME "__kernel_time" /* no such function: lookups find nothing */
#else
#error "the vDSO's names on this machine are not known"
#endif

/* What the dynamic section says, as offsets in the image; 0 for absent. */
struct dynamic {
	uint64_t strtab, symtab, hash, gnu_hash, versym, verdef;
	uint64_t strsz, verdefnum;
	uint64_t base; /* the address that offset 0 was linked for */
};

/* Copies n bytes at that offset out of the image. */
static bool take(const struct vdso *v, uint64_t offset, void *to, size_t n)
{
	if (offset > v->size || n > v->size - offset)
		return false;
	memcpy(to, v->image + offset, n);
	return true;
}

/* The string at that offset of the string table, or NULL. */
static const char *string_at(const struct vdso *v, const struct dynamic *d, uint64_t offset)
{
	if (offset >= d->strsz || d->strtab > v->size || d->strsz > v->size - d->strtab)
		return NULL;
	const char *s = (const char *)v->image + d->strtab + offset;
	return memchr(s, '\0', d->strsz - offset) ? s : NULL;
}

static bool header_at(const unsigned char *image, size_t size, Elf64_Ehdr *e)
{
	if (size < sizeof(*e))
		return false;
	memcpy(e, image, sizeof(*e));
	return memcmp(e->e_ident, ELFMAG, SELFMAG) == 0 && e->e_ident[EI_CLASS] == ELFCLASS64 &&
	       e->e_machine == MACHINE && e->e_phentsize == sizeof(Elf64_Phdr);
}

size_t vdso_claimed_size(const unsigned char *image, size_t size)
{
	struct vdso v = {image, size};
	Elf64_Ehdr e;
	Elf64_Phdr p;
	uint64_t end = 0;

	if (!header_at(image, size, &e))
		return 0;
	for (unsigned int i = 0; i < e.e_phnum; i++) {
		if (!take(&v, e.e_phoff + i * sizeof(p), &p, sizeof(p)))
			return 0;
		if (p.p_type == PT_LOAD && p.p_offset + p.p_filesz > end)
			end = p.p_offset + p.p_filesz;
	}
	/* The section headers end the file, and the whole file is mapped. */
	uint64_t sections = e.e_shoff + (uint64_t)e.e_shnum * e.e_shentsize;
	if (e.e_shnum && sections > end)
		end = sections;
	return end <= SIZE_MAX / 2 ? (size_t)end : 0;
}

/* Whether these whole pages are mapped: mincore(2) says ENOMEM when not. */
static bool mapped(unsigned long address, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char resident[1];

	for (size_t i = 0; i < size; i += page) {
		if (mincore((void *)(address + i), page, resident) != 0)
			return false;
	}
	return true;
}

bool vdso_own(struct vdso *v)
{
	unsigned long address = getauxval(AT_SYSINFO_EHDR);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*v = (struct vdso){0};
	if (address == 0 || address % page != 0 || !mapped(address, page))
		return false;
	const unsigned char *image = (const unsigned char *)address;
	size_t size = vdso_claimed_size(image, page);
	if (size == 0)
		return false;
	size = (size + page - 1) / page * page;
	if (!mapped(address, size))
		return false;
	v->image = image;
	v->size = size;
	return true;
}

/* Fills d.  false when the image is malformed or has no dynamic section. */
static bool dynamic_of(const struct vdso *v, struct dynamic *d)
{
	Elf64_Ehdr e;
	Elf64_Phdr p;
	Elf64_Dyn entry;
	uint64_t at = 0, bytes = 0;
	bool loaded = false;

	*d = (struct dynamic){0};
	if (!v->image || !header_at(v->image, v->size, &e))
		return false;
	for (unsigned int i = 0; i < e.e_phnum; i++) {
		if (!take(v, e.e_phoff + i * sizeof(p), &p, sizeof(p)))
			return false;
		if (p.p_type == PT_LOAD && !loaded) {
			d->base = p.p_vaddr - p.p_offset;
			loaded = true;
		} else if (p.p_type == PT_DYNAMIC) {
			at = p.p_offset;
			bytes = p.p_filesz;
		}
	}
	if (!loaded || at == 0)
		return false;
	for (uint64_t i = 0; i + sizeof(entry) <= bytes; i += sizeof(entry)) {
		if (!take(v, at + i, &entry, sizeof(entry)))
			return false;
		uint64_t value = entry.d_un.d_val;
		switch (entry.d_tag) {
		case DT_STRTAB:
			d->strtab = value - d->base;
			break;
		case DT_STRSZ:
			d->strsz = value;
			break;
		case DT_SYMTAB:
			d->symtab = value - d->base;
			break;
		case DT_HASH:
			d->hash = value - d->base;
			break;
		case DT_GNU_HASH:
			d->gnu_hash = value - d->base;
			break;
		case DT_VERSYM:
			d->versym = value - d->base;
			break;
		case DT_VERDEF:
			d->verdef = value - d->base;
			break;
		case DT_VERDEFNUM:
			d->verdefnum = value;
			break;
		case DT_NULL:
			return d->strtab && d->symtab;
		}
	}
	return d->strtab && d->symtab;
}

/* How many symbols there are: the hash tables are what says it, and with a
 * dozen symbols they need not be searched by hash.  0 when malformed. */
static uint32_t count_symbols(const struct vdso *v, const struct dynamic *d)
{
	uint32_t sysv[2]; /* nbucket, nchain */
	uint32_t gnu[4];  /* nbuckets, first symbol, bloom words, bloom shift */
	uint32_t last = 0, link;

	if (d->hash)
		return take(v, d->hash, sysv, sizeof(sysv)) ? sysv[1] : 0;
	if (!d->gnu_hash || !take(v, d->gnu_hash, gnu, sizeof(gnu)))
		return 0;
	uint64_t buckets = d->gnu_hash + sizeof(gnu) + gnu[2] * (uint64_t)sizeof(uint64_t);
	uint64_t chains = buckets + gnu[0] * (uint64_t)sizeof(uint32_t);
	for (uint32_t i = 0; i < gnu[0]; i++) {
		if (!take(v, buckets + i * (uint64_t)sizeof(link), &link, sizeof(link)))
			return 0;
		if (link > last)
			last = link;
	}
	if (last < gnu[1])
		return gnu[1];
	/* The chain of the highest bucket ends with the last symbol. */
	do {
		uint64_t at = chains + (last - gnu[1]) * (uint64_t)sizeof(link);
		if (!take(v, at, &link, sizeof(link)))
			return 0;
		last++;
	} while (!(link & 1));
	return last;
}

/* Whether symbol i carries that version. */
static bool has_version(const struct vdso *v, const struct dynamic *d, uint32_t i,
			const char *version)
{
	Elf64_Verdef def;
	Elf64_Verdaux aux;
	uint16_t index;
	uint64_t at = d->verdef;

	if (!d->versym || !at)
		return true; /* an image without versions has nothing to tell apart */
	if (!take(v, d->versym + i * (uint64_t)sizeof(index), &index, sizeof(index)))
		return false;
	for (uint64_t n = 0; n < d->verdefnum; n++) {
		if (!take(v, at, &def, sizeof(def)))
			return false;
		if (def.vd_ndx == (index & 0x7fff) && !(def.vd_flags & VER_FLG_BASE)) {
			if (!take(v, at + def.vd_aux, &aux, sizeof(aux)))
				return false;
			const char *s = string_at(v, d, aux.vda_name);
			return s && strcmp(s, version) == 0;
		}
		if (def.vd_next == 0)
			break;
		at += def.vd_next;
	}
	return false;
}

size_t vdso_symbol(const struct vdso *v, const char *name, const char *version)
{
	struct dynamic d;
	Elf64_Sym sym;

	if (!dynamic_of(v, &d))
		return 0;
	uint32_t n = count_symbols(v, &d);
	for (uint32_t i = 1; i < n; i++) {
		if (!take(v, d.symtab + i * (uint64_t)sizeof(sym), &sym, sizeof(sym)))
			return 0;
		if (sym.st_shndx == SHN_UNDEF)
			continue;
		const char *s = string_at(v, &d, sym.st_name);
		if (!s || strcmp(s, name) != 0)
			continue;
		if (version && !has_version(v, &d, i, version))
			continue;
		uint64_t offset = sym.st_value - d.base;
		return offset < v->size ? offset : 0;
	}
	return 0;
}

/* The address of a function as a number that fits any function pointer. */
static uintptr_t address_of(const struct vdso *v, const char *name)
{
	size_t offset = vdso_symbol(v, name, VERSION);
	return offset ? (uintptr_t)v->image + offset : 0;
}

void vdso_functions(const struct vdso *v, struct vdso_functions *f)
{
	f->gettime = (int (*)(clockid_t, struct timespec *))address_of(v, GETTIME);
	f->getres = (int (*)(clockid_t, struct timespec *))address_of(v, GETRES);
	f->gettimeofday = (int (*)(struct timeval *, void *))address_of(v, GETTIMEOFDAY);
	f->time = (time_t(*)(time_t *))address_of(v, TIME);
}
