// SPDX-License-Identifier: GPL-2.0-only
/* Symbols of files, real and hostile, and whose code they are taken for. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/lib-names.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "caller.h"
#include "elfsym.h"
#include "maps.h"

__attribute__((noinline)) static int a_function_of_this_test(void)
{
	__asm__ volatile("");
	return (int)getpid();
}

struct place {
	uintptr_t address;
	uint64_t offset;
	char path[4096];
};

static bool find(const struct mapping *m, void *arg)
{
	struct place *p = arg;

	if (p->address < m->start || p->address >= m->end)
		return true;
	p->offset = p->address - m->start + m->offset;
	snprintf(p->path, sizeof(p->path), "%s", m->path);
	return false;
}

/* Asks the file that holds an address of this process. */
static void ask(const void *address, struct elfsym *sym)
{
	struct place p = {.address = (uintptr_t)address};
	int fd;

	assert_true(maps_each((uint32_t)getpid(), find, &p) > 0);
	assert_int_equal(p.path[0], '/');
	fd = open(p.path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(elfsym_find(fd, p.offset + 1, sym), 0);
	close(fd);
}

/* The address itself, not a stub of this program. */
static const void *in_libc(const char *name)
{
	void *libc = dlopen(LIBC_SO, RTLD_NOW | RTLD_NOLOAD);
	const void *address;

	assert_non_null(libc);
	address = dlsym(libc, name);
	assert_non_null(address);
	dlclose(libc);
	return address;
}

static void functions_are_found_in_this_program(void **state)
{
	int (*function)(void) = a_function_of_this_test;
	const void *address;
	struct elfsym sym;

	(void)state;
	memcpy(&address, &function, sizeof(address));
	ask(address, &sym);
	assert_string_equal(sym.symbol, "a_function_of_this_test");
	assert_false(sym.libc);
	assert_false(sym.go);
	assert_true(sym.symtab);
	assert_int_equal(sym.interp[0], '/');
	assert_int_equal(caller_of(&sym, true, false), CALLER_PROGRAM);
}

static void functions_are_found_in_the_libc(void **state)
{
	struct elfsym sym;

	(void)state;
	ask(in_libc("syscall"), &sym);
	assert_string_equal(sym.symbol, "syscall");
	assert_string_equal(sym.soname, "libc.so.6");
	assert_true(sym.libc);
	assert_true(sym.dynsym);
	assert_int_equal(caller_of(&sym, false, false), CALLER_LIBC_SYSCALL);

	ask(in_libc("clock_gettime"), &sym);
	assert_string_equal(sym.symbol, "clock_gettime");
	assert_int_equal(caller_of(&sym, false, false), CALLER_LIBC_WRAPPER);

	ask(in_libc("nanosleep"), &sym);
	assert_int_equal(caller_of(&sym, false, false), CALLER_LIBC_OTHER);
}

static void callers_are_told_by_what_a_file_says(void **state)
{
	static const struct {
		struct elfsym sym;
		bool exe, interp;
		enum caller caller;
	} rows[] = {
	    /* Shared libcs. */
	    {{.symbol = "clock_gettime", .libc = true, .shared_libc = true, .dynsym = true},
	     0,
	     0,
	     CALLER_LIBC_WRAPPER},
	    {{.symbol = "syscall", .libc = true, .shared_libc = true, .dynsym = true},
	     0,
	     0,
	     CALLER_LIBC_SYSCALL},
	    {{.symbol = "", .libc = true, .shared_libc = true, .dynsym = true},
	     0,
	     0,
	     CALLER_LIBC_OTHER},
	    {{.symbol = "clock_gettime", .soname = "librt.so.1"}, 0, 0, CALLER_LIBC_WRAPPER},
	    {{.symbol = ""}, 0, 1, CALLER_LIBC_OTHER}, /* klibc */
	    {{.symbol = "clock_gettime", .libc = true, .shared_libc = true},
	     1,
	     0,
	     CALLER_LIBC_WRAPPER},
	    /* Programs with an interpreter. */
	    {{.symbol = "main", .symtab = true, .interp = "/x"}, 1, 0, CALLER_PROGRAM},
	    {{.symbol = "clock_gettime", .symtab = true, .interp = "/x"}, 1, 0, CALLER_PROGRAM},
	    {{.symbol = "", .interp = "/x"}, 1, 0, CALLER_PROGRAM},
	    /* Libraries that are no libc: LD_PRELOAD, for one. */
	    {{.symbol = "clock_gettime", .dynsym = true, .soname = "shim.so"},
	     0,
	     0,
	     CALLER_PROGRAM},
	    {{.symbol = "", .dynsym = true}, 0, 0, CALLER_PROGRAM},
	    /* Which file is the program is not known. */
	    {{.symbol = "read_clock", .symtab = true, .libc = true}, 0, 0, CALLER_PROGRAM},
	    {{.symbol = "syscall", .symtab = true, .libc = true}, 0, 0, CALLER_LIBC_SYSCALL},
	    {{.symbol = ""}, 0, 0, CALLER_UNKNOWN},
	    /* Static programs. */
	    {{.symbol = "__time", .symtab = true, .libc = true}, 1, 0, CALLER_LIBC_WRAPPER},
	    {{.symbol = "syscall", .symtab = true, .libc = true}, 1, 0, CALLER_LIBC_SYSCALL},
	    {{.symbol = "__syscall_common", .symtab = true, .libc = true},
	     1,
	     0,
	     CALLER_LIBC_WRAPPER},
	    {{.symbol = "__libc_do_syscall", .symtab = true, .libc = true},
	     1,
	     0,
	     CALLER_LIBC_WRAPPER},
	    {{.symbol = "read_clock", .symtab = true, .libc = true}, 1, 0, CALLER_PROGRAM},
	    {{.symbol = "_start", .symtab = true}, 1, 0, CALLER_PROGRAM}, /* no libc at all */
	    {{.symbol = ""}, 1, 0, CALLER_UNKNOWN},
	    /* Go. */
	    {{.symbol = "runtime.nanotime1.abi0", .go = true}, 1, 0, CALLER_LIBC_WRAPPER},
	    {{.symbol = "syscall.RawSyscall6", .go = true}, 1, 0, CALLER_LIBC_SYSCALL},
	    {{.symbol = "runtime/internal/syscall.Syscall6", .go = true},
	     1,
	     0,
	     CALLER_LIBC_SYSCALL},
	    {{.symbol = "main.readClock", .go = true}, 1, 0, CALLER_PROGRAM},
	    {{.symbol = "", .go = true}, 1, 0, CALLER_UNKNOWN},
	    {{.symbol = "clock_gettime", .go = true, .libc = true}, 1, 0, CALLER_LIBC_WRAPPER},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (caller_of(&rows[i].sym, rows[i].exe, rows[i].interp) != rows[i].caller)
			fail_msg("row %zu", i);
}

static void wrappers_are_known_by_name(void **state)
{
	static const char *const yes[] = {
	    "clock_gettime",
	    "__clock_gettime",
	    "__clock_gettime64",
	    "gettimeofday",
	    "__gettimeofday_syscall",
	    "time_syscall",
	    "time",
	    "__time64",
	    "__libc_clock_getres",
	    "__clock_getres_time64",
	    "time_syscall.lto_priv.0",
	    "__vdso_clock_gettime",
	    "timespec_get",
	    "ftime",
	};
	static const char *const no[] = {
	    "",		 "_",	     "syscall", "clock_nanosleep", "clock_gettime_fast", "timer",
	    "timestamp", "time_now", "my_time", "clock_settime",   "get_time",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (!caller_is_wrapper(yes[i]))
			fail_msg("%s", yes[i]);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (caller_is_wrapper(no[i]))
			fail_msg("%s", no[i]);
}

static void tools_are_known_by_their_files(void **state)
{
	(void)state;
	assert_string_equal(caller_tool("/usr/libexec/valgrind/memcheck-amd64-linux"), "valgrind");
	assert_string_equal(caller_tool("/usr/lib/rr/librrpreload.so"), "rr");
	assert_null(caller_tool("/memcheck-amd64-linux/prog"));
	assert_null(caller_tool(""));
}

static int scratch(char path[64])
{
	int fd;

	snprintf(path, 64, "/tmp/clocktop-unit-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	return fd;
}

/* A header that claims whatever it likes, in a file of a terabyte of holes. */
static void a_hostile_file_is_refused_or_empty(void **state)
{
	Elf64_Ehdr ehdr = {
	    .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	    .e_type = ET_EXEC,
	    .e_machine = EM_X86_64,
	    .e_version = EV_CURRENT,
	    .e_ehsize = sizeof(ehdr),
	    .e_phentsize = sizeof(Elf64_Phdr),
	    .e_shentsize = sizeof(Elf64_Shdr),
	    .e_shoff = 1ULL << 32,
	    .e_shnum = 3,
	    .e_shstrndx = 1,
	};
	Elf64_Shdr sections[3] = {
	    {.sh_type = SHT_NULL},
	    {.sh_type = SHT_STRTAB, .sh_offset = 4096, .sh_size = 1ULL << 39},
	    {.sh_type = SHT_SYMTAB,
	     .sh_offset = 4096,
	     .sh_size = 1ULL << 39,
	     .sh_link = 1,
	     .sh_entsize = 1},
	};
	struct elfsym sym;
	char path[64];
	int fd = scratch(path);

	(void)state;
	assert_int_equal(elfsym_find(fd, 0, &sym), -ENOEXEC); /* empty */
	assert_int_equal(write(fd, "not an ELF file at all", 22), 22);
	assert_int_equal(elfsym_find(fd, 0, &sym), -ENOEXEC);
	assert_int_equal(ftruncate(fd, 1LL << 40), 0);
	assert_int_equal(pwrite(fd, &ehdr, sizeof(ehdr), 0), sizeof(ehdr));
	assert_int_equal(pwrite(fd, sections, sizeof(sections), 1LL << 32), sizeof(sections));
	assert_int_equal(elfsym_find(fd, 4711, &sym), 0);
	assert_string_equal(sym.symbol, "");
	ehdr.e_shnum = 0; /* section 0 tells how many: a billion */
	sections[0].sh_size = 1 << 30;
	assert_int_equal(pwrite(fd, &ehdr, sizeof(ehdr), 0), sizeof(ehdr));
	assert_int_equal(pwrite(fd, sections, sizeof(sections), 1LL << 32), sizeof(sections));
	assert_int_equal(elfsym_find(fd, 4711, &sym), -ENOEXEC);
	close(fd);
	assert_int_equal(unlink(path), 0);
}

/* Every byte of this program's headers and tables wrong once, some at a time. */
static void a_damaged_file_harms_nobody(void **state)
{
	static unsigned char bytes[256 * 1024];
	int self = open("/proc/self/exe", O_RDONLY);
	struct elfsym sym;
	char path[64];
	int fd = scratch(path);
	uint32_t random = 4711;
	Elf64_Ehdr ehdr;
	ssize_t len;

	(void)state;
	assert_true(self >= 0);
	len = pread(self, bytes, sizeof(bytes), 0);
	assert_true(len > (ssize_t)sizeof(ehdr));
	close(self);
	for (int round = 0; round < 3000; round++) {
		unsigned char one;
		off_t at;

		if (round % 100 == 0) {
			assert_int_equal(ftruncate(fd, 0), 0);
			assert_int_equal(pwrite(fd, bytes, (size_t)len, 0), len);
		}
		memcpy(&ehdr, bytes, sizeof(ehdr));
		random = random * 1664525 + 1013904223;
		at = random >> 8 & 1 ? (off_t)(random >> 16) % 256
				     : (off_t)(ehdr.e_shoff + (random >> 12) % 4096);
		one = (unsigned char)(random >> 9);
		assert_int_equal(pwrite(fd, &one, 1, at), 1);
		(void)elfsym_find(fd, random % 65536, &sym);
	}
	close(fd);
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(functions_are_found_in_this_program),
	    cmocka_unit_test(functions_are_found_in_the_libc),
	    cmocka_unit_test(callers_are_told_by_what_a_file_says),
	    cmocka_unit_test(wrappers_are_known_by_name),
	    cmocka_unit_test(tools_are_known_by_their_files),
	    cmocka_unit_test(a_hostile_file_is_refused_or_empty),
	    cmocka_unit_test(a_damaged_file_harms_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
