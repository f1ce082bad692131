// SPDX-License-Identifier: GPL-2.0-only
/* Looks at processes of every kind, which are children made for it. */
#include <elf.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "compat.h"
#include "known.h"
#include "look.h"
#include "looker.h"
#include "maps.h"
#include "proc.h"
#include "vdso.h"

static struct look_memory memory;

/* A child that did something and then waits to be killed. */
static pid_t start(void (*something)(void))
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		something();
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static struct look look_at_child(void (*something)(void), bool threads)
{
	pid_t pid = start(something);
	struct look look = {.proc = {(uint32_t)pid, proc_start_ns((uint32_t)pid)},
			    .threads = threads};

	look_at(&look, &memory);
	end(pid);
	return look;
}

static void nothing(void)
{
}

static void an_ordinary_process_has_the_kernels_vdso(void **state)
{
	struct look look = look_at_child(nothing, false);

	(void)state;
	assert_int_equal(look.err, 0);
	assert_int_equal(look.vdso, WHERE_VDSO_MAPPED);
	assert_int_equal(look.vdso_genuine, FACT_YES);
	assert_int_equal(look.seccomp, FACT_NO);
	assert_int_equal(look.tracer, 0);
	assert_non_null(strstr(look.exe, "unit_look"));
	assert_null(look.tool);
	look_clear(&look);
}

static void unmap_vdso(void)
{
	struct vdso own;

	if (!vdso_own(&own) || munmap((void *)(uintptr_t)own.image, own.size))
		_exit(1);
}

static void an_unmapped_vdso_is_missed(void **state)
{
	struct look look = look_at_child(unmap_vdso, false);

	(void)state;
	assert_int_equal(look.err, 0);
	assert_int_equal(look.vdso, WHERE_VDSO_UNMAPPED);
	assert_int_equal(look.vdso_genuine, FACT_UNKNOWN);
	look_clear(&look);
}

/* One byte behind all code.  The kernel lets nobody split the mapping, so all of
 * it changes its protection. */
static void patch_vdso(void)
{
	struct vdso own;
	unsigned char *image;

	if (!vdso_own(&own))
		_exit(1);
	image = (unsigned char *)(uintptr_t)own.image;
	if (mprotect(image, own.size, PROT_READ | PROT_WRITE | PROT_EXEC))
		_exit(1);
	image[own.size - 1] ^= 1;
	if (mprotect(image, own.size, PROT_READ | PROT_EXEC))
		_exit(1);
}

static void a_patched_vdso_is_not_the_kernels(void **state)
{
	struct look look = look_at_child(patch_vdso, false);

	(void)state;
	assert_int_equal(look.err, 0);
	assert_int_equal(look.vdso, WHERE_VDSO_MAPPED);
	assert_int_equal(look.vdso_genuine, FACT_NO);
	look_clear(&look);
}

static void protect_vdso(void)
{
	struct vdso own;

	if (!vdso_own(&own) || mprotect((void *)(uintptr_t)own.image, own.size, PROT_NONE))
		_exit(1);
}

static void a_vdso_that_cannot_be_read_is_not_judged(void **state)
{
	struct look look = look_at_child(protect_vdso, false);

	(void)state;
	assert_int_equal(look.vdso, WHERE_VDSO_MAPPED);
	assert_int_equal(look.vdso_genuine, FACT_UNKNOWN);
	look_clear(&look);
}

static void install_filter(void)
{
	struct sock_filter allow = {.code = BPF_RET | BPF_K, .k = SECCOMP_RET_ALLOW};
	struct sock_fprog program = {.len = 1, .filter = &allow};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
		_exit(1);
}

static pthread_barrier_t barrier;

static void *filtered_thread(void *arg)
{
	(void)arg;
	install_filter();
	pthread_barrier_wait(&barrier);
	for (;;)
		pause();
	return NULL;
}

static void filter_a_thread(void)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread, NULL, filtered_thread, NULL))
		_exit(1);
	pthread_barrier_wait(&barrier);
}

static void filters_are_seen(void **state)
{
	struct look look = look_at_child(install_filter, false);

	(void)state;
	assert_int_equal(look.seccomp, FACT_YES);
	look_clear(&look);
	look = look_at_child(filter_a_thread, false);
	assert_int_equal(look.seccomp, FACT_NO); /* of the first thread */
	look_clear(&look);
	look = look_at_child(filter_a_thread, true);
	assert_int_equal(look.seccomp, FACT_YES);
	look_clear(&look);
}

static int ready_fd;

static void *last_thread(void *arg)
{
	char path[64], buf[512];

	(void)arg;
	snprintf(path, sizeof(path), "/proc/%d/stat", getpid());
	for (;;) { /* until the first thread has ended */
		FILE *f = fopen(path, "r");
		bool ended = f && fgets(buf, sizeof(buf), f) && strstr(buf, ") Z ");

		if (f)
			fclose(f);
		if (ended)
			break;
		usleep(1000);
	}
	if (write(ready_fd, "x", 1) != 1)
		_exit(1);
	for (;;)
		pause();
	return NULL;
}

/* The first thread ends, and /proc/PID/maps is empty from then on. */
static void a_process_without_its_first_thread_is_looked_at(void **state)
{
	struct look look = {0};
	int ready[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		pthread_t thread;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ready_fd = ready[1];
		if (pthread_create(&thread, NULL, last_thread, NULL))
			_exit(1);
		pthread_exit(NULL);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	look.proc = (struct proc_id){(uint32_t)pid, proc_start_ns((uint32_t)pid)};
	look_at(&look, &memory);
	end(pid);
	assert_int_equal(look.err, 0);
	assert_int_equal(look.vdso, WHERE_VDSO_MAPPED);
	assert_int_equal(look.vdso_genuine, FACT_YES);
	assert_non_null(look.exe);
	look_clear(&look);
}

static void another_process_of_that_pid_is_not_looked_at(void **state)
{
	uint32_t pid = (uint32_t)getpid();
	struct look look = {.proc = {pid, proc_start_ns(pid) - 50000000}};

	(void)state;
	look_at(&look, &memory);
	assert_int_equal(look.err, -ESRCH);
	assert_int_equal(look.vdso, WHERE_VDSO_UNKNOWN);
	look_clear(&look);
}

static void clocks_are_asked_for(void **state)
{
	uint32_t pid = (uint32_t)getpid();
	struct look_clock asked[] = {
	    {.clock = (int32_t)(~pid << 3 | 2)},      /* this process */
	    {.clock = (int32_t)(~pid << 3 | 6)},      /* its first thread */
	    {.clock = (int32_t)(~1U << 3 | 6)},	      /* a thread of another's */
	    {.clock = (int32_t)(~4194303U << 3 | 2)}, /* the last pid there can be */
	    {.clock = (int32_t)(~1000000U << 3 | 3)}, /* no descriptor */
	    {.clock = (int32_t)(~9U << 3 | 7)},	      /* no kind of clock */
	};
	struct look look = {.proc = {pid, proc_start_ns(pid)},
			    .clocks = malloc(sizeof(asked)),
			    .nr_clocks = sizeof(asked) / sizeof(asked[0])};

	(void)state;
	assert_non_null(look.clocks);
	memcpy(look.clocks, asked, sizeof(asked));
	look_at(&look, &memory);
	assert_int_equal(look.clocks[0].exists, SERVED_YES);
	assert_int_equal(look.clocks[1].exists, SERVED_YES);
	for (size_t i = 2; i < look.nr_clocks; i++)
		assert_int_equal(look.clocks[i].exists, SERVED_NO);
	look_clear(&look);
}

/* A site in the libc of this process. */
static void make_site(struct look_site *site, void *address, const char *name)
{
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");
	struct mapping m;

	memset(site, 0, sizeof(*site));
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		line[strcspn(line, "\n")] = '\0';
		if (!maps_parse(line, &m) || (uintptr_t)address < m.start ||
		    (uintptr_t)address >= m.end)
			continue;
		site->ino = m.ino;
		site->major = m.major;
		site->minor = m.minor;
		site->offset = (uintptr_t)address - m.start + m.offset + 8;
	}
	fclose(maps);
	assert_true(site->ino != 0);
	site->object = strdup(name);
}

static void sites_are_found(void **state)
{
	uint32_t pid = (uint32_t)getpid();
	long (*function)(long, ...) = syscall;
	struct look look = {.proc = {pid, proc_start_ns(pid)},
			    .sites = calloc(3, sizeof(*look.sites)),
			    .nr_sites = 3};
	struct look_site gone;
	void *address;

	(void)state;
	memcpy(&address, &function, sizeof(address));
	assert_non_null(look.sites);
	make_site(&look.sites[0], address, "libc.so.6");
	make_site(&look.sites[1], address, "libc.so.6");
	look.sites[1].ino++; /* as on a stacked file system: found by its name */
	make_site(&look.sites[2], address, "other.so");
	look.sites[2].ino++;
	look_at(&look, &memory);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(look.sites[i].caller, CALLER_LIBC_SYSCALL);
		assert_string_equal(look.sites[i].symbol, "syscall");
		assert_non_null(strstr(look.sites[i].path, "/libc.so.6"));
	}
	assert_int_equal(look.sites[2].caller, CALLER_UNKNOWN);
	assert_null(look.sites[2].path);
	look_clear(&look);

	make_site(&gone, address, "libc.so.6");
	assert_true(look_remembered(&gone, &memory));
	assert_int_equal(gone.caller, CALLER_LIBC_SYSCALL);
	free(gone.symbol);
	gone.symbol = NULL;
	gone.caller = CALLER_UNKNOWN;
	look_elsewhere(&gone, pid, &memory);
	assert_int_equal(gone.caller, CALLER_LIBC_SYSCALL);
	free(gone.object);
	free(gone.path);
	free(gone.symbol);
}

/* Every x86-64 kernel that runs 32-bit programs gives it; it is not our own. */
static void the_compat_vdso_is_another_one(void **state)
{
	static unsigned char image[65536];
	size_t size = compat_vdso(image, sizeof(image));

	(void)state;
	if (size == 0) /* arm64, or a kernel without 32-bit programs */
		return;
	assert_memory_equal(image, ELFMAG, SELFMAG);
	assert_int_equal(image[EI_CLASS], ELFCLASS32);
	assert_int_equal(size % (size_t)sysconf(_SC_PAGESIZE), 0);
	assert_int_equal(compat_vdso(image, 4096 - 1), 0);
	/* and this process still has its own */
	an_ordinary_process_has_the_kernels_vdso(state);
}

static struct look *new_look(void)
{
	uint32_t pid = (uint32_t)getpid();
	long (*function)(long, ...) = syscall;
	struct look *look = calloc(1, sizeof(*look));
	void *address;

	assert_non_null(look);
	memcpy(&address, &function, sizeof(address));
	look->proc = (struct proc_id){pid, proc_start_ns(pid)};
	look->sites = calloc(1, sizeof(*look->sites));
	look->nr_sites = 1;
	assert_non_null(look->sites);
	make_site(look->sites, address, "libc.so.6");
	return look;
}

/* What was left behind cleans up after itself. */
static void wait_for_threads(int expected)
{
	for (int threads = 0; threads != expected;) {
		char buf[4096];
		const char *line;

		assert_true(proc_read((uint32_t)getpid(), "status", buf, sizeof(buf)) > 0);
		line = strstr(buf, "\nThreads:");
		assert_non_null(line);
		threads = atoi(line + strlen("\nThreads:"));
		usleep(1000);
	}
}

static void a_look_that_does_not_end_is_left_behind(void **state)
{
	struct look_memory *memory_of_left;
	struct looker *l = looker_new();
	struct look *look = new_look();

	(void)state;
	assert_non_null(l);
	assert_null(looker_take(l, 0));
	assert_int_equal(looker_begin(l, look), 0);
	assert_ptr_equal(looker_take(l, 10000000000), look);
	assert_int_equal(look->sites[0].caller, CALLER_LIBC_SYSCALL);
	look_clear(look);
	free(look);

	/* None gets at what it needs.  One that was left before its thread came to
	 * begin it ends at once, so on a busy host it takes more than four. */
	pthread_mutex_lock(&looker_memory(l)->lock);
	for (int i = 0; i < 4 || looker_ready(l); i++) {
		look = new_look();
		assert_int_equal(looker_begin(l, look), 0);
		assert_true(looker_busy(l));
		assert_int_equal(looker_begin(l, look), -EBUSY);
		assert_null(looker_take(l, 1000000));
		looker_leave(l);
		assert_false(looker_busy(l));
	}
	look = new_look();
	assert_false(looker_ready(l));
	assert_int_equal(looker_begin(l, look), -EAGAIN); /* enough threads are lost */
	pthread_mutex_unlock(&looker_memory(l)->lock);
	wait_for_threads(1);
	assert_int_equal(looker_begin(l, look), 0); /* they came back */
	assert_ptr_equal(looker_take(l, 10000000000), look);
	look_clear(look);
	free(look);

	look = new_look();
	pthread_mutex_lock(&looker_memory(l)->lock);
	assert_int_equal(looker_begin(l, look), 0);
	memory_of_left = looker_memory(l);
	looker_free(l); /* with a look still running */
	pthread_mutex_unlock(&memory_of_left->lock);
	wait_for_threads(1);
}

static void what_was_found_is_kept(void **state)
{
	struct known *k = calloc(1, sizeof(*k));
	struct look look = {.sites = calloc(1, sizeof(*look.sites)),
			    .nr_sites = 1,
			    .clocks = calloc(1, sizeof(*look.clocks)),
			    .nr_clocks = 1,
			    .vdso = WHERE_VDSO_MAPPED,
			    .vdso_genuine = FACT_YES,
			    .seccomp = FACT_YES,
			    .container = "0123456789ab"};
	struct look gone = {.err = -ESRCH};

	(void)state;
	assert_non_null(k);
	assert_non_null(known_site(k, 7, true));
	assert_non_null(known_clock(k, -6, true));
	assert_null(known_site(k, 8, false));
	look.sites[0] =
	    (struct look_site){.place = 7, .caller = CALLER_PROGRAM, .symbol = strdup("f")};
	look.clocks[0] = (struct look_clock){-6, SERVED_NO};
	known_take(k, &look, 99);
	look_clear(&look);
	known_take(k, &gone, 100);
	look_clear(&gone);
	assert_true(k->gone);
	assert_int_equal(k->looked_ns, 100);
	assert_int_equal(k->seccomp, FACT_YES);
	assert_int_equal(k->vdso, WHERE_VDSO_MAPPED);
	assert_string_equal(k->container, "0123456789ab");
	assert_string_equal(known_site(k, 7, false)->symbol, "f");
	assert_int_equal(known_clock(k, -6, false)->exists, SERVED_NO);
	for (uint64_t place = 100; place < 200; place++)
		known_site(k, place, true);
	assert_int_equal(k->nr_sites, KNOWN_SITES);
	known_free(k);
}

static int set_up(void **state)
{
	(void)state;
	return look_memory_init(&memory);
}

static int tear_down(void **state)
{
	(void)state;
	look_memory_free(&memory);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_ordinary_process_has_the_kernels_vdso),
	    cmocka_unit_test(an_unmapped_vdso_is_missed),
	    cmocka_unit_test(a_patched_vdso_is_not_the_kernels),
	    cmocka_unit_test(a_vdso_that_cannot_be_read_is_not_judged),
	    cmocka_unit_test(filters_are_seen),
	    cmocka_unit_test(a_process_without_its_first_thread_is_looked_at),
	    cmocka_unit_test(another_process_of_that_pid_is_not_looked_at),
	    cmocka_unit_test(clocks_are_asked_for),
	    cmocka_unit_test(sites_are_found),
	    cmocka_unit_test(the_compat_vdso_is_another_one),
	    cmocka_unit_test(a_look_that_does_not_end_is_left_behind),
	    cmocka_unit_test(what_was_found_is_kept),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
