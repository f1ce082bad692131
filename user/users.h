/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of uids and uids of names.  The host's password file is asked first,
 * then, but in a static build, whatever else the name service knows: a static
 * program would have to load that service's libraries, of a libc that need
 * not be its own.
 */
#ifndef CLOCKTOP_USERS_H
#define CLOCKTOP_USERS_H

#include <sys/types.h>

/* Remembers names: each uid is looked up once.  NULL without memory. */
struct users;
struct users *users_new(void);
void users_free(struct users *u);

/* The name of uid, or its number as text when it has none.  Owned by u, raw
 * bytes; without memory it lasts until the next call only. */
const char *users_name(struct users *u, uid_t uid);

/* The uid of a user name or a decimal uid, names first.  0 or -ENOENT. */
int users_find(const char *text, uid_t *uid);

#endif
