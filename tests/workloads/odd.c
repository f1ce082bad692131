// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes COUNT calls of clock_gettime in a way that few programs do, five
 * milliseconds apart:
 *
 *   odd COUNT WAY
 *
 *   jit        from code in memory without a file
 *   unmapped   by syscall(), the vDSO being unmapped
 *   refilled   from code that was mapped where the vDSO had been
 *   patched    through the vDSO, whose function makes the syscall itself
 *   moved      CLOCK_PROCESS_CPUTIME_ID, through a vDSO that lies elsewhere
 *   einval     by syscall(), under a filter that answers EINVAL
 *   some       by syscall(), four times as many, while COUNT / 2 more by another
 *              thread are refused by its filter
 *   unnamed    by syscall(), from a thread whose process's first one has ended
 *   deleted    from its own text, whose file it deleted
 *   named      by syscall(), under a name full of terminal sequences
 */
#include <err.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "ways.h"

typedef int (*reader)(clockid_t clock, struct timespec *ts);

static long count;
static struct timespec ts;

static void wait_a_little(void)
{
	usleep(5000);
}

/* clock_gettime's arguments stand where the kernel wants them. */
#if defined(__x86_64__)
static const unsigned char code[] = {0xb8, 0xe4, 0, 0, 0, /* mov $228, %eax */
				     0x0f, 0x05,	  /* syscall */
				     0xc3};		  /* ret */
#elif defined(__aarch64__)
static const unsigned int code[] = {0xd2800e28,	 /* mov x8, #113 */
				    0xd4000001,	 /* svc #0 */
				    0xd65f03c0}; /* ret */
#endif

static void read_with(reader read_clock, clockid_t clock)
{
	for (long i = 0; i < count; i++) {
		if (read_clock(clock, &ts))
			errx(1, "clock_gettime");
		wait_a_little();
	}
}

static void read_raw(void)
{
	for (long i = 0; i < count; i++) {
		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &ts);
		wait_a_little();
	}
}

/* Code at `address`, or anywhere. */
static reader place_code(void *address)
{
	int fixed = address ? MAP_FIXED_NOREPLACE : 0;
	void *page = mmap(address, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);

	if (page == MAP_FAILED)
		err(1, "mmap");
	memcpy(page, code, sizeof(code));
	__builtin___clear_cache(page, (char *)page + sizeof(code));
	return (reader)page;
}

/* All pages of the vDSO. */
static char *vdso(size_t *size)
{
	char line[512], *start = (char *)getauxval(AT_SYSINFO_EHDR);
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;

	*size = 0;
	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", &from, &to) == 2)
			*size = to - from;
	if (!maps || !*size)
		errx(1, "no vDSO");
	fclose(maps);
	return start;
}

static void jit(void)
{
	read_with(place_code(NULL), CLOCK_MONOTONIC);
}

static void unmap(void)
{
	size_t size;
	char *start = vdso(&size);

	if (munmap(start, size))
		err(1, "munmap");
}

static void unmapped(void)
{
	unmap();
	read_raw();
}

static void refilled(void)
{
	size_t size;
	char *start = vdso(&size);

	unmap();
	read_with(place_code(start), CLOCK_MONOTONIC);
}

static void patched(void)
{
	reader function = (reader)vdso_function_of(GETTIME);
	size_t size;
	char *start = vdso(&size);

	if (mprotect(start, size, PROT_READ | PROT_WRITE | PROT_EXEC))
		err(1, "mprotect");
	memcpy((void *)function, code, sizeof(code));
	__builtin___clear_cache((char *)function, (char *)function + sizeof(code));
	if (mprotect(start, size, PROT_READ | PROT_EXEC))
		err(1, "mprotect");
	read_with(function, CLOCK_MONOTONIC);
}

static void moved(void)
{
	reader function = (reader)vdso_function_of(GETTIME);
	size_t size;
	char *start = vdso(&size);
	char *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED ||
	    mremap(start, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, room) != room)
		err(1, "mremap");
	read_with((reader)(room + ((char *)function - start)), CLOCK_PROCESS_CPUTIME_ID);
}

static void filter(int answer)
{
	struct sock_filter program[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | answer),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = {sizeof(program) / sizeof(program[0]), program};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p, 0, 0))
		err(1, "seccomp");
}

static void einval(void)
{
	filter(EINVAL);
	read_raw();
}

static void *filtered_thread(void *arg)
{
	(void)arg;
	count /= 2;
	filter(EPERM);
	read_raw();
	return NULL;
}

/* The first thread begins before the other one and ends after it. */
static void some(void)
{
	long rounds = count;
	pthread_t thread = 0;

	for (long i = 0; i < rounds; i++) {
		if (i == 4 && pthread_create(&thread, NULL, filtered_thread, NULL))
			errx(1, "thread");
		for (int call = 0; call < 4; call++)
			syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &ts);
		wait_a_little();
	}
	pthread_join(thread, NULL);
}

static void *last_thread(void *arg)
{
	(void)arg;
	usleep(20000); /* the first one has ended by then */
	read_raw();
	exit(0);
}

static void unnamed(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, last_thread, NULL))
		errx(1, "thread");
	pthread_exit(NULL);
}

static void own_text(void)
{
	for (long i = 0; i < count; i++) {
		asm_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&ts);
		wait_a_little();
	}
}

static void deleted(void)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len < 0)
		err(1, "exe");
	path[len] = '\0';
	if (unlink(path))
		err(1, "%s", path);
	own_text();
}

static void named(void)
{
	prctl(PR_SET_NAME, "\033[2J,\"\n\xff=1+1");
	read_raw();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		void (*go)(void);
	} ways[] = {
	    {"jit", jit},	  {"unmapped", unmapped}, {"refilled", refilled},
	    {"patched", patched}, {"moved", moved},	  {"einval", einval},
	    {"some", some},	  {"unnamed", unnamed},	  {"deleted", deleted},
	    {"named", named},
	};

	if (argc != 3)
		errx(2, "usage: odd COUNT WAY");
	count = atol(argv[1]);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[2], ways[i].word) == 0) {
			ways[i].go();
			return 0;
		}
	}
	errx(2, "no such way: %s", argv[2]);
}
