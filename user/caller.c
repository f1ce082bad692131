// SPDX-License-Identifier: GPL-2.0-only
#include "caller.h"

#include <string.h>

/* Libraries that belong to a libc without starting its programs. */
static const char *const libc_parts[] = {
    "librt.so.1", "libpthread.so.0", "libc.so.6", "libc.musl-", "ld-linux", "ld-musl-",
};

/* What is left of a wrapper's name without leading underscores and without
 * what libcs put around it. */
static const char *const wrapped[] = {
    "clock_gettime",   "clock_getres", "gettimeofday", "time",	"timespec_get",
    "timespec_getres", "ftime",	       "clock",	       "times",
};

static const char *const suffixes[] = {"64", "_time64", "_syscall", "_fallback",
				       "32", "_2",	"_vdso"};

/* Go's runtime reads the clock in these, vDSO or not. */
static const char *const go_wrappers[] = {
    "runtime.walltime", "runtime.nanotime", "runtime.vdso", "time.now", "syscall.gettimeofday",
};

/* And these make any syscall for the program.  A slash or a dot behind "internal"
 * differs from version to version. */
static const char *const go_syscalls[] = {
    "syscall.",		 "runtime/internal/syscall.", "internal/runtime/syscall.",
    "golang.org/x/sys/", "vendor/golang.org/x/sys/",
};

static const struct {
	const char *start, *tool;
} tools[] = {
    {"memcheck-", "valgrind"},
    {"callgrind-", "valgrind"},
    {"cachegrind-", "valgrind"},
    {"helgrind-", "valgrind"},
    {"drd-", "valgrind"},
    {"massif-", "valgrind"},
    {"dhat-", "valgrind"},
    {"lackey-", "valgrind"},
    {"none-amd64-linux", "valgrind"},
    {"none-arm64-linux", "valgrind"},
    {"none-x86-linux", "valgrind"},
    {"vgpreload_", "valgrind"},
    {"librrpreload", "rr"},
    {"libdynamorio", "DynamoRIO"},
    {"pinbin", "Intel Pin"},
    {"qemu-", "QEMU's user mode"},
    {"box64", "box64"},
    {"box86", "box86"},
    {"FEXInterpreter", "FEX"},
    {"libundo", "Undo"},
    {"live-record", "Undo"},
    {"runsc", "gVisor"},
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* The one function whose syscall instruction a libc's wrappers share: klibc's;
 * and glibc's in Thumb code, which has no register to spare for the number. */
static const char *const shared_instructions[] = {"__syscall_common", "__libc_do_syscall"};

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool starts_with_one(const char *text, const char *const *starts, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (starts_with(text, starts[i]))
			return true;
	return false;
}

/* Whether rest is made of suffixes only; a dot begins what a compiler adds. */
static bool only_suffixes(const char *rest)
{
	while (*rest && *rest != '.') {
		size_t i = 0;

		while (i < LENGTH(suffixes) && !starts_with(rest, suffixes[i]))
			i++;
		if (i == LENGTH(suffixes))
			return false;
		rest += strlen(suffixes[i]);
	}
	return true;
}

bool caller_is_wrapper(const char *symbol)
{
	static const char *const before[] = {"libc_", "vdso_", "kernel_", "sys_"};

	symbol += strspn(symbol, "_");
	for (size_t i = 0; i < LENGTH(before); i++)
		if (starts_with(symbol, before[i]))
			symbol += strlen(before[i]);
	for (size_t i = 0; i < LENGTH(wrapped); i++)
		if (starts_with(symbol, wrapped[i]) && only_suffixes(symbol + strlen(wrapped[i])))
			return true;
	return false;
}

static bool is_libc_wrapper(const char *symbol)
{
	for (size_t i = 0; i < LENGTH(shared_instructions); i++)
		if (strcmp(symbol, shared_instructions[i]) == 0)
			return true;
	return caller_is_wrapper(symbol);
}

/* In a file that Go's linker made.  With cgo it can hold a libc as well. */
static enum caller caller_in_go(const char *symbol)
{
	if (!symbol[0])
		return CALLER_UNKNOWN;
	if (starts_with_one(symbol, go_wrappers, LENGTH(go_wrappers)))
		return CALLER_LIBC_WRAPPER;
	if (starts_with_one(symbol, go_syscalls, LENGTH(go_syscalls)))
		return CALLER_LIBC_SYSCALL;
	return CALLER_PROGRAM;
}

/* In a file that is a libc and nothing else. */
static enum caller caller_in_libc(const char *symbol)
{
	if (strcmp(symbol, "syscall") == 0)
		return CALLER_LIBC_SYSCALL;
	return is_libc_wrapper(symbol) ? CALLER_LIBC_WRAPPER : CALLER_LIBC_OTHER;
}

/* In a program that holds its libc. */
static enum caller caller_in_static(const char *symbol)
{
	if (!symbol[0])
		return CALLER_UNKNOWN;
	if (strcmp(symbol, "syscall") == 0)
		return CALLER_LIBC_SYSCALL;
	return is_libc_wrapper(symbol) ? CALLER_LIBC_WRAPPER : CALLER_PROGRAM;
}

enum caller caller_of(const struct elfsym *sym, bool exe, bool interp)
{
	if (sym->go) {
		enum caller caller = caller_in_go(sym->symbol);

		if (caller != CALLER_PROGRAM || !sym->libc)
			return caller;
	}
	/* Also one that was started as a program: musl's loader. */
	if (sym->shared_libc || interp ||
	    starts_with_one(sym->soname, libc_parts, LENGTH(libc_parts)))
		return caller_in_libc(sym->symbol);
	if (sym->libc)
		return caller_in_static(sym->symbol);
	/* Without an interpreter it is static; stripped, it does not tell which
	 * of its code is the libc's.  A shared library has dynamic symbols. */
	if (!sym->interp[0] && !sym->symtab && (exe || !sym->dynsym))
		return CALLER_UNKNOWN;
	return CALLER_PROGRAM;
}

const char *caller_tool(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < LENGTH(tools); i++)
		if (starts_with(name, tools[i].start))
			return tools[i].tool;
	return NULL;
}
