/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One look at a process: whether its vDSO is mapped and the kernel's, whether
 * it is filtered or traced, which container it is in, and whose code holds
 * the instructions that make its direct calls.  It only reads, and it can
 * be kept waiting by a file system that does not answer: see looker.h.
 */
#ifndef CLOCKTOP_LOOK_H
#define CLOCKTOP_LOOK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cause.h"
#include "map.h"
#include "record.h"

/* A place that direct calls come from. */
struct look_site {
	/* What is asked. */
	uint64_t place; /* the asker's own number for it */
	char *object;	/* base name of the file, from the kernel; owned */
	uint64_t ino;	/* 0: not known */
	unsigned int major, minor;
	uint64_t offset; /* in the file, behind the syscall instruction */
	/* What is answered. */
	enum caller caller;
	int err;      /* -errno: why its file could not be read */
	bool exe;     /* the file is the process's program */
	char *path;   /* in the process's root, raw bytes; owned; NULL not known */
	char *symbol; /* function that holds the instruction, raw bytes; owned; or NULL */
};

/* A negative clock id that the kernel answered EINVAL to. */
struct look_clock {
	int32_t clock;
	enum served_state exists;
};

struct look {
	/* What is asked. */
	struct proc_id proc;
	bool threads; /* look for filters in all its threads */
	struct look_site *sites;
	size_t nr_sites;
	struct look_clock *clocks;
	size_t nr_clocks;
	/* What is answered.  err 0: looked; -ESRCH: gone; another -errno: it
	 * could not be looked at, what follows may be known in part. */
	int err;
	enum where_vdso vdso;
	enum fact vdso_genuine;
	int vdso_err; /* -errno: why its code could not be read */
	enum fact seccomp;
	uint32_t tracer;
	const char *tool; /* caller_tool() */
	char *exe;	  /* path of its program, raw bytes; owned; NULL not known */
	char container[CONTAINER_ID];
};

/* What looks share: reference images, and places already looked up. */
struct look_memory {
	pthread_mutex_t lock;
	struct map places;     /* struct place_key: struct place */
	unsigned char *compat; /* the 32-bit vDSO; NULL: none */
	size_t compat_size;
	bool compat_asked;
};

/* 0 or -ENOMEM.  The functions below may run in several threads. */
int look_memory_init(struct look_memory *memory);
void look_memory_free(struct look_memory *memory);

/* Looks. */
void look_at(struct look *look, struct look_memory *memory);

/* Answers a site of a process that is gone: if another look read the same
 * place (true), or if process pid has the same file mapped. */
bool look_remembered(struct look_site *site, struct look_memory *memory);
void look_elsewhere(struct look_site *site, uint32_t pid, struct look_memory *memory);

/* Frees what look holds, not look itself. */
void look_clear(struct look *look);

#endif
