/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of one process that makes clock syscalls, from the looks at
 * it.  It asks nothing and decides nothing.
 */
#ifndef CLOCKTOP_KNOWN_H
#define CLOCKTOP_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "look.h"
#include "record.h"

/* Sites and clocks that are kept of one process; what comes later stays
 * unknown. */
#define KNOWN_SITES 64
#define KNOWN_CLOCKS 64

/* A place that direct calls came from. */
struct known_site {
	uint64_t place; /* known_place() of its `where` */
	bool answered;
	bool exe;
	enum caller caller;
	int err;	     /* -errno: why its file could not be read */
	char *path, *symbol; /* owned; NULL not known */
};

/* A negative clock id that the kernel refused. */
struct known_clock {
	int32_t clock;
	bool answered;
	enum served_state exists;
};

struct known {
	struct proc_id proc;
	char comm[TASK_COMM]; /* when it was looked at: another one means exec, mostly */
	uint64_t seen_ns;     /* CLOCK_MONOTONIC: its last record */
	uint64_t looked_ns;   /* the last look; 0 none */
	uint64_t took_ns;     /* how long it took: thousands of threads are long to read */
	int err;	      /* of the last look */
	bool gone;	      /* seen exiting, or a look found it gone */
	bool forget;	      /* at the next interval */

	/* Wanted of the next look. */
	bool wanted, wanted_again; /* now; or when there is nothing better to do */
	bool want_threads;
	uint64_t weight; /* calls in this interval */

	enum where_vdso vdso;
	enum fact vdso_genuine, seccomp;
	int vdso_err; /* -errno: why the vDSO's code could not be read */
	bool threads; /* seccomp is of all threads */
	uint32_t tracer;
	const char *tool;
	char *exe;
	char container[CONTAINER_ID];
	struct known_site *sites;
	size_t nr_sites;
	struct known_clock *clocks;
	size_t nr_clocks;
};

/* The part of a `where` that says which instruction in which file. */
uint64_t known_place(uint64_t where);

/* A site or clock, added unanswered if add is true and there is room; NULL
 * when it is not there. */
struct known_site *known_site(struct known *k, uint64_t place, bool add);
struct known_clock *known_clock(struct known *k, int32_t clock, bool add);

/* Takes over what a look found; look_clear() still has to follow. */
void known_take(struct known *k, struct look *look, uint64_t now_ns);

/* Whether something that was asked of a look has not been answered. */
bool known_is_open(const struct known *k);

/* Whether a look at it is still to come, as far as its last calls want one.  k may be
 * NULL. */
bool known_waits(const struct known *k);

/* Frees k and what it holds. */
void known_free(struct known *k);

#endif
