/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums by key: entries (processes, threads, commands, containers), each with
 * a part for every kind of call it made.  Looking one up takes constant time
 * however many there are.  It knows nothing of rows, filters or order; table.c
 * is its only user.
 *
 * Entries and parts are named by index, so that a copy of the arrays is a
 * copy of the ledger.  An index stays valid until its entry is removed.
 */
#ifndef CLOCKTOP_LEDGER_H
#define CLOCKTOP_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

enum ledger_kind {
	LEDGER_FREE, /* an unused entry */
	LEDGER_PROCESS,
	LEDGER_THREAD,
	LEDGER_COMMAND,
	LEDGER_CONTAINER,
};

/* What an entry stands for.  Fields that a kind does not use are 0. */
struct ledger_key {
	enum ledger_kind kind;
	uint32_t tid;
	struct proc_id proc;
	char name[TASK_COMM]; /* of a command or container, padded with NULs */
};

/* Numbers of one kind of call.  Of the last interval unless said otherwise. */
struct ledger_sums {
	uint64_t count, errors;
	uint64_t total, total_errors; /* since the start */
	double cpu;		      /* CPUs burnt, as far as known */
	bool cpu_open;		      /* some of the cost is not known */
};

struct ledger_part {
	uint64_t key; /* ledger_call_key(), or LEDGER_OTHERS */
	uint32_t entry;
	uint32_t next;	/* of the same entry */
	uint32_t chain; /* of the same hash bucket */
	uint32_t stamp; /* the interval that its counts are of */
	enum cause cause;
	uint64_t where;
	const char *object;
	struct ledger_sums sums;
};

struct ledger_entry {
	struct ledger_key key;
	uint32_t chain;
	uint32_t first, nr_parts;
	uint32_t stamp; /* the last interval with calls */
	uint32_t uid;
	uint32_t processes; /* how many it adds up */
	bool exited;
	bool mixed_users;    /* it adds up processes of several users */
	struct proc_id proc; /* the process, or of many the one that calls most */
	uint64_t most;	     /* its calls */
	char comm[TASK_COMM];
	char container[CONTAINER_ID];
};

struct ledger {
	struct ledger_entry *entries;
	struct ledger_part *parts;
	uint32_t *entry_buckets, *part_buckets;
	uint32_t nr_entries, entry_room, free_entries, live_entries;
	uint32_t nr_parts, part_room, free_parts, live_parts;
	uint32_t entry_mask, part_mask; /* buckets - 1, or 0 for none */
	uint32_t nr_names;		/* commands and containers */
};

#define LEDGER_NONE UINT32_MAX

/* Kinds of call that one entry keeps apart, and names of commands and
 * containers that the ledger does: what comes later is added to one that
 * stands for all others, so that memory stays bounded and sums right. */
#define LEDGER_MAX_PARTS 1024
#define LEDGER_MAX_NAMES 16384
#define LEDGER_OTHERS 0
#define LEDGER_OTHER_NAME "(others)"

void ledger_init(struct ledger *l);
void ledger_free(struct ledger *l);

/* Removes all entries and keeps the memory. */
void ledger_clear(struct ledger *l);

/* Copies src into the fresh dst.  0 or -ENOMEM, with dst empty. */
int ledger_copy(struct ledger *dst, const struct ledger *src);

/* Whether two keys name the same entry. */
bool ledger_same_key(const struct ledger_key *a, const struct ledger_key *b);

/* The key of a kind of call, as in records.h without an outcome. */
uint64_t ledger_call_key(enum call call, enum abi abi, enum via via, int32_t clock);

/* The entry of that key, made when there is none and `make` says so.
 * LEDGER_NONE: there is none, or no memory. */
uint32_t ledger_entry(struct ledger *l, const struct ledger_key *key, bool make);

/* The part of an entry, made when there is none.  LEDGER_NONE: no memory. */
uint32_t ledger_part(struct ledger *l, uint32_t entry, uint64_t call_key);

/* Removes an entry and its parts. */
void ledger_remove(struct ledger *l, uint32_t entry);

/* Starts a part's interval counts anew unless they are of interval `stamp`. */
void ledger_stamp(struct ledger_part *p, uint32_t stamp);

/* Adds `from`'s parts (counts of interval `stamp`; older ones are 0) to entry
 * `to` of `l`; cause and caller come from the larger share.  from_ledger may
 * be l.  0 or -ENOMEM. */
int ledger_fold(struct ledger *l, uint32_t to, const struct ledger *from_ledger, uint32_t from,
		uint32_t stamp);

#endif
