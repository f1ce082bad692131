/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of uids, each looked up once (getpwuid_r). */
#ifndef CLOCKTOP_USERS_H
#define CLOCKTOP_USERS_H

#include <sys/types.h>

struct users;
struct users *users_new(void);
void users_free(struct users *u);

/* The name of uid, or its number as text.  Owned by u; raw bytes. */
const char *users_name(struct users *u, uid_t uid);

#endif
