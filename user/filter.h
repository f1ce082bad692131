/* SPDX-License-Identifier: GPL-2.0-only */
/* Which records -p, -u, -c and -e leave.  Pure functions. */
#ifndef CLOCKTOP_FILTER_H
#define CLOCKTOP_FILTER_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "options.h"
#include "record.h"

/* All fields as in struct options; all zero but `events` leaves everything. */
struct table_filter {
	bool followed_only; /* -p: those and what they forked */
	const uid_t *uids;
	size_t nr_uids;
	const regex_t *comm; /* or NULL; of the process's name, with threads too */
	unsigned int events; /* bit per enum call */
};

/* What the command line asks for; o must outlive it. */
struct table_filter table_filter_of(const struct options *o);

/* Whether a record passes. */
bool table_filter_record(const struct table_filter *f, const struct record *r);

#endif
