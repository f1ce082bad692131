// SPDX-License-Identifier: GPL-2.0-only
#include "compat.h"

#ifdef __x86_64__

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "maps.h"
#include "proc.h"

#define ARCH_MAP_VDSO_32 0x2002

/* [vdso] and what belongs to it: [vvar], and [vvar_vclock] since 6.13. */
#define MAX_RANGES 8

struct ranges {
	uint64_t start[MAX_RANGES], end[MAX_RANGES];
	size_t nr;
	uint64_t vdso, vdso_end; /* of [vdso] alone */
};

static bool take_range(const struct mapping *m, void *arg)
{
	struct ranges *r = arg;

	if (strcmp(m->path, "[vdso]") != 0 && strncmp(m->path, "[vvar", 5) != 0)
		return true;
	if (strcmp(m->path, "[vdso]") == 0) {
		if (!r->vdso)
			r->vdso = m->start;
		r->vdso_end = m->end;
	}
	if (r->nr == MAX_RANGES)
		return false;
	r->start[r->nr] = m->start;
	r->end[r->nr++] = m->end;
	return true;
}

/* The child's life.  Only syscalls: it is the copy of one thread of many. */
static void child(const struct ranges *own, int said, int until)
{
	char byte = 0;

	for (size_t i = 0; i < own->nr; i++)
		if (munmap((void *)(uintptr_t)own->start[i], own->end[i] - own->start[i]))
			byte = 1;
	if (syscall(SYS_arch_prctl, ARCH_MAP_VDSO_32, own->start[0]) <= 0)
		byte = 1;
	if (write(said, &byte, 1) != 1 || read(until, &byte, 1) < 0)
		syscall(SYS_exit_group, 1);
	syscall(SYS_exit_group, 0);
}

/* Copies the child's vDSO. */
static size_t copy_vdso(pid_t pid, unsigned char *image, size_t room)
{
	struct ranges r = {0};

	if (maps_each((uint32_t)pid, take_range, &r) < 0 || !r.vdso || r.vdso_end - r.vdso > room)
		return 0;
	if (proc_memory((uint32_t)pid, r.vdso, image, r.vdso_end - r.vdso))
		return 0;
	return r.vdso_end - r.vdso;
}

size_t compat_vdso(unsigned char *image, size_t room)
{
	struct ranges own = {0};
	int said[2], until[2];
	size_t size = 0;
	char byte = 1;
	long pid;

	if (maps_each((uint32_t)getpid(), take_range, &own) < 0 || !own.nr)
		return 0;
	if (pipe2(said, O_CLOEXEC))
		return 0;
	if (pipe2(until, O_CLOEXEC)) {
		close(said[0]);
		close(said[1]);
		return 0;
	}
	/* Without an exit signal: it is nobody's COMMAND. */
	pid = syscall(SYS_clone, 0UL, NULL, NULL, NULL, 0UL);
	if (pid == 0) {
		close(until[1]);
		child(&own, said[1], until[0]);
	}
	close(said[1]);
	close(until[0]);
	if (pid > 0 && read(said[0], &byte, 1) == 1 && byte == 0)
		size = copy_vdso((pid_t)pid, image, room);
	close(until[1]); /* ends the child */
	close(said[0]);
	if (pid > 0)
		waitpid((pid_t)pid, NULL, __WALL);
	return size;
}

#else

size_t compat_vdso(unsigned char *image, size_t room)
{
	(void)image;
	(void)room;
	return 0;
}

#endif
