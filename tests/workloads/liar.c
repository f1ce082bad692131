// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes an exact number of raw reads of CLOCK_PROCESS_CPUTIME_ID, one every
 * MICROS, while it does what makes /proc hard to read.
 *
 *   liar COUNT MICROS TRICK [ARGUMENT]
 *
 *   maps N       it has N mappings more, none next to its like
 *   rename       a thread gives the process another name all the time
 *   remap        each call comes from memory that was mapped for it alone
 *   file PATH    the calls come from a page put behind the end of that file; when
 *                it is mapped, its pid is printed, and SIGUSR1 waited for
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "ways.h"

/* long stub(long number, long a, long b): a system call and a return. */
static const unsigned char stub_code[] = {
#ifdef __x86_64__
    0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6, 0x0f, 0x05, 0xc3,
#elif defined(__aarch64__)
    0xe8, 0x03, 0x00, 0xaa, 0xe0, 0x03, 0x01, 0xaa, 0xe1, 0x03,
    0x02, 0xaa, 0x01, 0x00, 0x00, 0xd4, 0xc0, 0x03, 0x5f, 0xd6,
#endif
};

typedef long stub_fn(long number, long a, long b);

static long count;
static useconds_t pause_us;
static struct timespec answer;

static void call(stub_fn *stub)
{
	if (stub)
		stub(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&answer);
	else
		asm_syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&answer);
	if (pause_us)
		usleep(pause_us);
}

static void call_all(stub_fn *stub, long n)
{
	while (n-- > 0)
		call(stub);
}

static void *map(int prot, int flags, int fd, off_t offset)
{
	void *p = mmap(NULL, 4096, prot, flags, fd, offset);

	if (p == MAP_FAILED)
		err(2, "mmap");
	return p;
}

static void many_maps(long n)
{
	for (long i = 0; i < n; i++)
		map(i % 2 ? PROT_READ : PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	call_all(NULL, count);
}

static void *rename_for_ever(void *unused)
{
	static const char *const names[] = {"", ")", "a b) R 1 (", "\n", "\x1b[2J", "\xff\xfe"};

	(void)unused;
	for (unsigned int i = 0;; i++) {
		int fd = open("/proc/self/comm", O_WRONLY | O_CLOEXEC);
		const char *name = names[i % (sizeof(names) / sizeof(names[0]))];

		if (fd < 0 || write(fd, name, strlen(name)) < 0)
			err(2, "comm");
		close(fd);
	}
	return NULL;
}

static void renaming(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, rename_for_ever, NULL))
		errx(2, "pthread_create");
	call_all(NULL, count);
}

static void remapping(void)
{
	for (long i = 0; i < count; i++) {
		void *p =
		    map(PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		memcpy(p, stub_code, sizeof(stub_code));
		__builtin___clear_cache(p, (char *)p + sizeof(stub_code));
		call((stub_fn *)p);
		munmap(p, 4096);
	}
}

static void on_signal(int unused)
{
	(void)unused;
}

/* Writes the stub behind the file's last page, and calls it there. */
static void from_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat st;
	sigset_t set;
	off_t end;
	void *p;

	if (fd < 0 || fstat(fd, &st))
		err(2, "%s", path);
	end = (st.st_size + 4095) & ~(off_t)4095;
	if (ftruncate(fd, end + 4096) ||
	    pwrite(fd, stub_code, sizeof(stub_code), end) != (ssize_t)sizeof(stub_code))
		err(2, "%s", path);
	p = map(PROT_READ | PROT_EXEC, MAP_SHARED, fd, end);
	close(fd);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGUSR1, on_signal);
	printf("%d\n", getpid());
	fflush(stdout);
	sigwaitinfo(&set, NULL);
	call_all((stub_fn *)p, count);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		errx(2, "COUNT MICROS TRICK [ARGUMENT]");
	count = strtol(argv[1], NULL, 10);
	pause_us = (useconds_t)strtol(argv[2], NULL, 10);
	if (strcmp(argv[3], "maps") == 0 && argc == 5)
		many_maps(strtol(argv[4], NULL, 10));
	else if (strcmp(argv[3], "rename") == 0)
		renaming();
	else if (strcmp(argv[3], "remap") == 0)
		remapping();
	else if (strcmp(argv[3], "file") == 0 && argc == 5)
		from_file(argv[4]);
	else
		errx(2, "no such trick: %s", argv[3]);
	return 0;
}
