/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel side as the program sees it: loads the BPF programs, attaches
 * them, takes samples, and takes everything out of the kernel again.
 * Only it and what it is made of (loader, overflow, refusal) know libbpf.  It computes no rates and
 * no causes.
 */
#ifndef CLOCKTOP_COLLECTOR_H
#define CLOCKTOP_COLLECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sample.h"

struct collector;

struct collector_config {
	bool follow;	      /* follow forks of the pids given below */
	const uint32_t *pids; /* tgids, initial pid namespace */
	size_t nr_pids;
	/* Test knobs: 0 takes the default sizes. */
	uint32_t max_dead;
	uint32_t max_overflow;
};

/* Opens, loads and attaches.  Returns 0 and *out, which collector_close() gives
 * back; or the exit status 3 with one line in err (NUL-terminated; what is
 * missing and what to do). */
int collector_open(struct collector **out, const struct collector_config *config, char *err,
		   size_t err_size);

/* Adds a tgid to the followed set.  0 or -errno. */
int collector_follow(struct collector *c, uint32_t tgid);

/* Takes a sample into s, reusing its memory.  0 or -errno. */
int collector_read(struct collector *c, struct sample *s);

/* Writes into s what the live tasks have called since the last sample, without
 * ending anything: counts, times and exited tasks are not for use.  0 or
 * -errno. */
int collector_peek(struct collector *c, struct sample *s);

/* Empties what the kernel keeps of exited tasks into memory here, for the next
 * sample; to be called every second or so while samples are further apart.
 * 0 or -errno. */
int collector_drain(struct collector *c);

/* "raw_syscalls:sys_exit": the tracepoint that counts the host's syscalls. */
const char *collector_host_event(const struct collector *c);

/* The file with that number in a `where`: its base name as the kernel has it
 * (raw bytes), "[anon]", or "" when not known.  Owned by c. */
const char *collector_object(struct collector *c, uint64_t where);

/* The device and inode of that file.  false when not known. */
bool collector_object_file(struct collector *c, uint64_t where, dev_t *dev, ino_t *ino);

/* Detaches and frees everything.  c may be NULL. */
void collector_close(struct collector *c);

#endif
