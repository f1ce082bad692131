// SPDX-License-Identifier: GPL-2.0-only
/*
 * libelf reads the headers; strings and symbols are read here in pieces, so
 * that a symbol table of a gigabyte costs no memory and one of a terabyte no
 * time.
 */
#include "elfsym.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gotab.h"

#define MAX_SYMBOLS (8U << 20)	 /* Chromium with all symbols has some 2 million */
#define MAX_STRINGS (256U << 20) /* and 200 MB of names */
#define MAX_SEGMENTS 4096U
#define MAX_DYNAMIC 4096U
#define CHUNK_SYMBOLS 2048U

/* The functions that start a C program, by libc. */
static const char *const libc_starts[] = {
    "__libc_start_main",      /* glibc, musl */
    "__libc_start_call_main", /* glibc, static */
    "__libc_init",	      /* bionic, klibc */
    "__uClibc_main",
};
#define NR_STARTS (sizeof(libc_starts) / sizeof(libc_starts[0]))
#define MAX_PLACES 4U

/* ".data.rel.ro.gopclntab" in position-independent programs */
#define GOPCLNTAB ".gopclntab"

struct file {
	int fd;
	Elf *elf;
	int class;
	int machine;
	/* What is looked for. */
	uint64_t address; /* of the offset; 0 when no segment holds it */
	uint64_t segment; /* start of the executable segment that holds it */
	/* The best so far. */
	bool covered;	       /* out->symbol's size covers address */
	uint64_t nearest;      /* start of the last code symbol before address */
	uint32_t nearest_name; /* its name, if it has no size; else 0 */
};

/* What Go's own table of functions needs. */
struct go_sections {
	GElf_Shdr table;
	uint64_t text; /* address of .text */
};

/* Where one table's names of libc_starts lie in its strings. */
struct places {
	uint64_t at[NR_STARTS * MAX_PLACES];
	size_t nr;
};

static ssize_t read_at(int fd, void *buf, size_t size, uint64_t offset)
{
	size_t len = 0;

	if (offset > INT64_MAX - size)
		return 0;
	while (len < size) {
		ssize_t n = pread(fd, (char *)buf + len, size - len, (off_t)(offset + len));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

/* The string at `at` in a string table, cut to fit.  buf is "" when it lies
 * outside. */
static void read_string(const struct file *f, const GElf_Shdr *strings, uint64_t at, char *buf,
			size_t size)
{
	size_t most = size - 1;
	ssize_t len = 0;

	if (at < strings->sh_size && strings->sh_offset <= UINT64_MAX - at) {
		if (most > strings->sh_size - at)
			most = strings->sh_size - at;
		len = read_at(f->fd, buf, most, strings->sh_offset + at);
	}
	buf[len > 0 ? len : 0] = '\0';
}

/* Finds where the names that start a C program end in the strings: a name
 * may share the tail of a longer one, so what stands before is no matter. */
static void find_starts(const struct file *f, const GElf_Shdr *strings, struct places *places)
{
	enum { CHUNK = 64 * 1024, OVERLAP = 64 };
	uint64_t size = strings->sh_size < MAX_STRINGS ? strings->sh_size : MAX_STRINGS;
	char *buf = malloc(CHUNK);

	places->nr = 0;
	for (uint64_t at = 0; buf && at < size; at += CHUNK - OVERLAP) {
		ssize_t len = read_at(f->fd, buf, CHUNK, strings->sh_offset + at);

		for (size_t i = 0; len > 0 && i < NR_STARTS; i++) {
			size_t name = strlen(libc_starts[i]) + 1;
			const char *p = buf;

			while ((p = memmem(p, (size_t)(buf + len - p), libc_starts[i], name))) {
				if (places->nr < sizeof(places->at) / sizeof(places->at[0]))
					places->at[places->nr++] = at + (uint64_t)(p - buf);
				p += name;
			}
		}
		if (len < CHUNK)
			break;
	}
	free(buf);
}

static bool is_start(const struct places *places, uint64_t name)
{
	for (size_t i = 0; i < places->nr; i++)
		if (places->at[i] == name)
			return true;
	return false;
}

/* A symbol whose size does not reach the address.  Hand-written code often has
 * no size: then the last symbol before the address counts. */
static void take_nearest(struct file *f, const GElf_Shdr *strings, const GElf_Sym *sym,
			 uint64_t start)
{
	if (f->covered || start < f->nearest)
		return;
	if ((f->machine == EM_ARM || f->machine == EM_AARCH64) && sym->st_size == 0) {
		char first[2];

		/* $a, $x: what kind of bytes follow. */
		read_string(f, strings, sym->st_name, first, sizeof(first));
		if (first[0] == '$')
			return;
	}
	f->nearest = start;
	f->nearest_name = sym->st_size ? 0 : sym->st_name;
}

/* Looks at one defined symbol. */
static void take_symbol(struct file *f, const GElf_Shdr *strings, const GElf_Sym *sym,
			struct elfsym *out)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);
	uint64_t start = sym->st_value;
	char name[ELFSYM_NAME];

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return;
	if (f->machine == EM_ARM)
		start &= ~1ULL; /* Thumb */
	if (!f->address || start > f->address || start < f->segment)
		return;
	if (f->address - start >= sym->st_size) {
		take_nearest(f, strings, sym, start);
		return;
	}
	read_string(f, strings, sym->st_name, name, sizeof(name));
	/* Of several names for one function, the public one. */
	if (!name[0] || (f->covered && (name[0] == '_' || out->symbol[0] != '_')))
		return;
	f->covered = true;
	memcpy(out->symbol, name, sizeof(name));
}

static void to_sym(int class, const unsigned char *bytes, GElf_Sym *sym)
{
	Elf32_Sym s32;
	Elf64_Sym s64;

	if (class == ELFCLASS64) {
		memcpy(&s64, bytes, sizeof(s64));
		*sym = s64;
		return;
	}
	memcpy(&s32, bytes, sizeof(s32));
	*sym = (GElf_Sym){
	    .st_name = s32.st_name,
	    .st_info = s32.st_info,
	    .st_shndx = s32.st_shndx,
	    .st_value = s32.st_value,
	    .st_size = s32.st_size,
	};
}

static void read_symbols(struct file *f, const GElf_Shdr *table, const GElf_Shdr *strings,
			 struct elfsym *out)
{
	size_t entry = f->class == ELFCLASS64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	uint64_t nr = table->sh_size / entry;
	unsigned char *buf = malloc(CHUNK_SYMBOLS * entry);
	struct places starts;

	if (!buf)
		return;
	find_starts(f, strings, &starts);
	f->nearest_name = 0;
	if (nr > MAX_SYMBOLS)
		nr = MAX_SYMBOLS;
	for (uint64_t at = 0; at < nr; at += CHUNK_SYMBOLS) {
		ssize_t len =
		    read_at(f->fd, buf, CHUNK_SYMBOLS * entry, table->sh_offset + at * entry);
		uint64_t got = len > 0 ? (uint64_t)len / entry : 0;

		if (got > nr - at)
			got = nr - at;
		for (uint64_t i = 0; i < got; i++) {
			GElf_Sym sym;

			to_sym(f->class, buf + i * entry, &sym);
			if (sym.st_shndx == SHN_UNDEF || sym.st_shndx == SHN_ABS)
				continue;
			if (is_start(&starts, sym.st_name)) {
				out->libc = true;
				out->shared_libc |= table->sh_type == SHT_DYNSYM;
			}
			take_symbol(f, strings, &sym, out);
		}
		if (got < CHUNK_SYMBOLS)
			break;
	}
	free(buf);
	if (!f->covered && f->nearest_name)
		read_string(f, strings, f->nearest_name, out->symbol, sizeof(out->symbol));
	out->symbol[strcspn(out->symbol, "@")] = '\0';
}

static void read_dynamic(const struct file *f, const GElf_Shdr *dynamic, const GElf_Shdr *strings,
			 struct elfsym *out)
{
	size_t entry = f->class == ELFCLASS64 ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
	uint64_t nr = dynamic->sh_size / entry;

	for (uint64_t i = 0; i < nr && i < MAX_DYNAMIC; i++) {
		Elf64_Dyn d64 = {.d_tag = DT_NULL};
		Elf32_Dyn d32 = {.d_tag = DT_NULL};
		void *to = f->class == ELFCLASS64 ? (void *)&d64 : (void *)&d32;
		ssize_t len = read_at(f->fd, to, entry, dynamic->sh_offset + i * entry);
		int64_t tag = f->class == ELFCLASS64 ? d64.d_tag : d32.d_tag;
		uint64_t value = f->class == ELFCLASS64 ? d64.d_un.d_val : d32.d_un.d_val;

		if (len != (ssize_t)entry || tag == DT_NULL)
			break;
		if (tag == DT_SONAME)
			read_string(f, strings, value, out->soname, sizeof(out->soname));
	}
}

/* The strings that a section links to; false when it links to nothing. */
static bool linked_strings(const struct file *f, const GElf_Shdr *section, GElf_Shdr *strings)
{
	Elf_Scn *scn = elf_getscn(f->elf, section->sh_link);

	return scn && gelf_getshdr(scn, strings) && strings->sh_type == SHT_STRTAB;
}

/* Notes what a section's name says of the program. */
static void take_name(const char *name, const GElf_Shdr *section, struct elfsym *out,
		      struct go_sections *go)
{
	size_t len = strlen(name), tail = strlen(GOPCLNTAB);

	if (strcmp(name, ".go.buildinfo") == 0 || strcmp(name, ".note.go.buildid") == 0)
		out->go = true;
	else if (strcmp(name, ".text") == 0)
		go->text = section->sh_addr;
	else if (len >= tail && strcmp(name + len - tail, GOPCLNTAB) == 0)
		go->table = *section;
}

static void read_sections(struct file *f, const GElf_Ehdr *ehdr, struct elfsym *out)
{
	Elf_Scn *scn = NULL, *names_scn = elf_getscn(f->elf, ehdr->e_shstrndx);
	GElf_Shdr names = {0};
	struct go_sections go = {0};

	if (names_scn && !gelf_getshdr(names_scn, &names))
		names.sh_size = 0;
	while ((scn = elf_nextscn(f->elf, scn))) {
		GElf_Shdr section, strings;
		char name[32];

		if (!gelf_getshdr(scn, &section))
			return;
		read_string(f, &names, section.sh_name, name, sizeof(name));
		take_name(name, &section, out, &go);
		if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM &&
		    section.sh_type != SHT_DYNAMIC)
			continue;
		if (!linked_strings(f, &section, &strings))
			continue;
		if (section.sh_type == SHT_DYNAMIC) {
			read_dynamic(f, &section, &strings, out);
			continue;
		}
		if (section.sh_type == SHT_SYMTAB)
			out->symtab = true;
		else
			out->dynsym = true;
		read_symbols(f, &section, &strings, out);
	}
	if (out->go && !out->symbol[0] && f->address)
		gotab_find(f->fd, go.table.sh_offset, go.table.sh_size, go.text, f->address,
			   out->symbol, sizeof(out->symbol));
}

static void read_interp(const struct file *f, const GElf_Phdr *segment, char *interp)
{
	ssize_t len;

	if (segment->p_filesz == 0 || segment->p_filesz > ELFSYM_INTERP)
		return;
	len = read_at(f->fd, interp, segment->p_filesz, segment->p_offset);
	if (len != (ssize_t)segment->p_filesz || interp[len - 1] != '\0')
		interp[0] = '\0';
}

/* Fills in interp, and f's address of offset (UINT64_MAX for none). */
static int read_segments(struct file *f, uint64_t offset, char *interp)
{
	size_t nr;

	if (elf_getphdrnum(f->elf, &nr) || nr > MAX_SEGMENTS)
		return -ENOEXEC;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(f->elf, (int)i, &p))
			return -ENOEXEC;
		if (p.p_type == PT_INTERP)
			read_interp(f, &p, interp);
		if (p.p_type == PT_LOAD && (p.p_flags & PF_X) && offset >= p.p_offset &&
		    offset - p.p_offset < p.p_filesz) {
			f->address = offset - p.p_offset + p.p_vaddr;
			f->segment = p.p_vaddr;
		}
	}
	return 0;
}

/* Whether the number of sections stands in section 0, which is for files of
 * more than 65,279 of them.  No linked program has as many, and libelf would
 * make room for whatever number it finds there. */
static bool counts_elsewhere(const unsigned char *head)
{
	Elf32_Ehdr e32;
	Elf64_Ehdr e64;

	if (head[EI_CLASS] == ELFCLASS64) {
		memcpy(&e64, head, sizeof(e64));
		return e64.e_shnum == 0 && e64.e_shoff != 0;
	}
	memcpy(&e32, head, sizeof(e32));
	return e32.e_shnum == 0 && e32.e_shoff != 0;
}

/* Opens the file for libelf, which also reads archives, after a look at its
 * head. */
static int open_elf(struct file *f, int fd, GElf_Ehdr *ehdr)
{
	unsigned char head[sizeof(Elf64_Ehdr)];
	ssize_t len = read_at(fd, head, sizeof(head), 0);

	if (len < 0)
		return (int)len;
	if (len != sizeof(head) || memcmp(head, ELFMAG, SELFMAG) != 0)
		return -ENOEXEC;
	if (head[EI_DATA] != ELFDATA2LSB) /* x86 and arm are */
		return -ENOEXEC;
	if (counts_elsewhere(head) || elf_version(EV_CURRENT) == EV_NONE)
		return -ENOEXEC;
	f->fd = fd;
	f->elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!f->elf)
		return -ENOEXEC;
	if (elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, ehdr)) {
		elf_end(f->elf);
		return -ENOEXEC;
	}
	f->class = head[EI_CLASS];
	f->machine = ehdr->e_machine;
	return 0;
}

int elfsym_find(int fd, uint64_t offset, struct elfsym *out)
{
	struct file f = {0};
	GElf_Ehdr ehdr;
	int err;

	memset(out, 0, sizeof(*out));
	err = open_elf(&f, fd, &ehdr);
	if (err)
		return err;
	err = read_segments(&f, offset, out->interp);
	if (!err)
		read_sections(&f, &ehdr, out);
	elf_end(f.elf);
	return err;
}

int elfsym_interp(int fd, char interp[ELFSYM_INTERP])
{
	struct file f = {0};
	GElf_Ehdr ehdr;
	int err;

	interp[0] = '\0';
	err = open_elf(&f, fd, &ehdr);
	if (err)
		return err;
	err = read_segments(&f, UINT64_MAX, interp);
	elf_end(f.elf);
	return err;
}
