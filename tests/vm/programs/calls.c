// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes exact numbers of clock calls, each in the way that is asked for.
 *
 *   calls [WORD…]
 *
 *   N                    how often each of the following is called (1 at first)
 *   HOW:CALL[:CLOCK]     calls: CALL by its name, CLOCK by name or number
 *   HOW:bad:CALL[:CLOCK] the same with a bad pointer
 *   HOW:number:NR        any syscall, its arguments (-1, 0, 0, 0, 0)
 *   forever              what follows is repeated, ten times a second
 *   linger               stays until the parent process, clocktop, has had time to
 *                        look at this one: until it has gone to sleep some times
 *                        more and all its threads rest; a second at least
 *   wait                 reads a line from standard input, and answers with one
 *
 *   HOW  libc      the libc's function
 *        raw       the libc's syscall()
 *        own       a syscall instruction in this program's own text
 *        int80     the i386 table from a 64-bit program (x86-64 only)
 *        vsyscall  the legacy vsyscall page (x86-64 only)
 *
 * Besides these it makes no clock call.  It says on standard output how many
 * calls answered an error, so that a test can see that calls were made:
 * "HOW:CALL:CLOCK N errors=E".
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define BAD_POINTER 1L
#define LOOKS 6
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* The numbers of the table that HOW uses; -1 where the table has no such call. */
struct call {
	const char *name;
	long native;
	long compat; /* the i386 table */
};

#ifdef __NR_clock_gettime64
#define NATIVE_GETTIME64 __NR_clock_gettime64
#define NATIVE_GETRES64 __NR_clock_getres_time64
#else
#define NATIVE_GETTIME64 -1
#define NATIVE_GETRES64 -1
#endif
#ifdef __NR_time
#define NATIVE_TIME __NR_time
#else
#define NATIVE_TIME -1
#endif

static const struct call calls[] = {
    {"gettimeofday", __NR_gettimeofday, 78},	{"time", NATIVE_TIME, 13},
    {"clock_gettime", __NR_clock_gettime, 265}, {"clock_getres", __NR_clock_getres, 266},
    {"clock_gettime64", NATIVE_GETTIME64, 403}, {"clock_getres_time64", NATIVE_GETRES64, 406},
};

static const struct {
	const char *name;
	long id;
} clocks[] = {
    {"REALTIME", 0},	      {"MONOTONIC", 1},	    {"PROCESS_CPUTIME_ID", 2},
    {"THREAD_CPUTIME_ID", 3}, {"MONOTONIC_RAW", 4}, {"REALTIME_COARSE", 5},
    {"MONOTONIC_COARSE", 6},  {"BOOTTIME", 7},	    {"REALTIME_ALARM", 8},
    {"BOOTTIME_ALARM", 9},    {"TAI", 11},
};

/* What one word asks for. */
struct order {
	const char *how;
	const char *name; /* the call's name, or "number" */
	const struct call *call;
	long number; /* for "number" */
	long clock;
	bool bad;
};

/* The syscall instruction in this program's own text.  -errno on failure. */
static long own(long nr, long a, long b)
{
	long ret;
#if defined(__x86_64__)
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = 0;
	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(0L), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
#elif defined(__i386__)
	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(nr), "b"(a), "c"(b), "d"(0L), "S"(0L), "D"(0L)
			 : "memory");
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = 0;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;
	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	ret = x0;
#elif defined(__arm__)
	register long r7 __asm__("r7") = nr;
	register long r0 __asm__("r0") = a;
	register long r1 __asm__("r1") = b;
	register long r2 __asm__("r2") = 0;
	register long r3 __asm__("r3") = 0;
	register long r4 __asm__("r4") = 0;
	__asm__ volatile("svc #0"
			 : "+r"(r0)
			 : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4)
			 : "memory");
	ret = r0;
#else
#error "which syscall instruction does this machine have?"
#endif
	return ret;
}

#ifdef __x86_64__
/* Pointers must fit in 32 bits: this program is linked below 2 GiB and the
 * buffers are static. */
static long int80(long nr, long a, long b)
{
	long ret;
	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(nr), "b"(a), "c"(b), "d"(0L), "S"(0L), "D"(0L)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)ret;
}

/* The page's functions lie 1024 bytes apart: gettimeofday, time, getcpu. */
static long vsyscall(const char *name, long a)
{
	unsigned long page = 0xffffffffff600000UL;

	if (!strcmp(name, "time"))
		return ((long (*)(long))(page + 1024))(a);
	return ((long (*)(long, long))page)(a, 0);
}
#endif

/* Room for the largest result of any call, in every table. */
static long long result[4];

static long libc(const struct order *o)
{
	struct timespec *ts = (struct timespec *)result;

	if (!strcmp(o->name, "gettimeofday"))
		return gettimeofday((struct timeval *)result, NULL);
	if (!strcmp(o->name, "time"))
		return time(NULL) == (time_t)-1 ? -1 : 0;
	if (!strcmp(o->name, "clock_gettime"))
		return clock_gettime((clockid_t)o->clock, ts);
	if (!strcmp(o->name, "clock_getres"))
		return clock_getres((clockid_t)o->clock, ts);
	fprintf(stderr, "calls: the libc has no %s\n", o->name);
	exit(2);
}

/* One call.  Whether it answered an error. */
static bool make(const struct order *o, long nr)
{
	long pointer = o->bad ? BAD_POINTER : (long)result;
	bool has_clock = o->call && strncmp(o->name, "clock_", 6) == 0;
	long a = !o->call ? -1 : has_clock ? o->clock : pointer;
	long b = has_clock ? pointer : 0;
	long ret;

	if (!strcmp(o->how, "libc"))
		return libc(o) < 0;
	if (!strcmp(o->how, "raw"))
		return syscall(nr, a, b, 0, 0, 0) == -1;
#ifdef __x86_64__
	if (!strcmp(o->how, "int80")) {
		ret = int80(nr, a, b);
		return ret < 0 && ret >= -4095;
	}
	if (!strcmp(o->how, "vsyscall")) {
		ret = vsyscall(o->name, a);
		return ret < 0 && ret >= -4095;
	}
#endif
	ret = own(nr, a, b);
	return ret < 0 && ret >= -4095;
}

static void bad_word(const char *word)
{
	fprintf(stderr, "calls: cannot make \"%s\"\n", word);
	exit(2);
}

static long clock_of(const char *text, const char *word)
{
	char *end;
	long id = strtol(text, &end, 10);

	for (size_t i = 0; i < LENGTH(clocks); i++)
		if (!strcmp(text, clocks[i].name))
			return clocks[i].id;
	if (end == text || *end)
		bad_word(word);
	return id;
}

/* Takes a word apart; copy is the caller's, cut into pieces. */
static void parse(struct order *o, char *copy, const char *word)
{
	static const char *const hows[] = {
	    "libc",  "raw",	 "own",
#ifdef __x86_64__
	    "int80", "vsyscall",
#endif
	};
	char *save = NULL;
	const char *part;
	bool known = false;

	memset(o, 0, sizeof(*o));
	o->how = strtok_r(copy, ":", &save);
	for (size_t i = 0; o->how && i < LENGTH(hows); i++)
		known |= !strcmp(o->how, hows[i]);
	part = strtok_r(NULL, ":", &save);
	if (part && !strcmp(part, "bad")) {
		o->bad = true;
		part = strtok_r(NULL, ":", &save);
	}
	o->name = part;
	if (!known || !o->name)
		bad_word(word);
	for (size_t i = 0; i < LENGTH(calls); i++)
		if (!strcmp(o->name, calls[i].name))
			o->call = &calls[i];
	part = strtok_r(NULL, ":", &save);
	if (!strcmp(o->name, "number")) {
		if (!part)
			bad_word(word);
		o->number = strtol(part, NULL, 10);
	} else if (!o->call) {
		bad_word(word);
	} else if (part) {
		o->clock = clock_of(part, word);
	}
}

/* How often the parent process has gone to sleep; -1 when it does not say. */
static long parent_sleeps(void)
{
	char path[64], line[256];
	long sleeps = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)getppid());
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps) == 1)
			break;
	if (file)
		fclose(file);
	return sleeps;
}

/* Whether a thread of the parent process runs, or would if it had a CPU. */
static bool parent_works(void)
{
	char path[300], line[512];
	struct dirent *entry;
	bool works = false;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)getppid());
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks))) {
		const char *name;
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", (int)getppid(),
			 entry->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		/* "4711 (clocktop) S …" */
		name = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
		works |= name && name[1] == ' ' && name[2] != 'S';
		fclose(file);
	}
	if (tasks)
		closedir(tasks);
	return works;
}

static void linger(void)
{
	const pid_t parent = getppid();
	const long before = parent_sleeps();

	do
		sleep(1);
	while (before >= 0 && getppid() == parent &&
	       (parent_sleeps() < before + LOOKS || parent_works()));
}

static void carry_out(const char *word, long count)
{
	char *copy = strdup(word);
	struct order o;
	long errors = 0;
	long nr;

	if (!copy)
		exit(2);
	parse(&o, copy, word);
	nr = !o.call ? o.number : !strcmp(o.how, "int80") ? o.call->compat : o.call->native;
	if (nr < 0 && strcmp(o.how, "libc") != 0)
		bad_word(word);
	for (long i = 0; i < count; i++)
		errors += make(&o, nr);
	printf("%s %ld errors=%ld\n", word, count, errors);
	free(copy);
}

int main(int argc, char **argv)
{
	long count = 1;
	int again = 0; /* where to go on from at the end */

	for (int i = 1; i < argc; i++) {
		char *end;
		long n = strtol(argv[i], &end, 10);

		if (end != argv[i] && !*end) {
			count = n;
		} else if (!strcmp(argv[i], "linger")) {
			linger();
		} else if (!strcmp(argv[i], "wait")) {
			char line[64];

			puts("waiting");
			fflush(stdout);
			if (!fgets(line, sizeof(line), stdin))
				return 1;
		} else if (!strcmp(argv[i], "forever")) {
			again = i;
		} else {
			carry_out(argv[i], count);
		}
		if (again && i == argc - 1) {
			usleep(100000);
			i = again;
		}
	}
	return fflush(stdout) ? 1 : 0;
}
