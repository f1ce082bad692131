// SPDX-License-Identifier: GPL-2.0-only
#include "users.h"

#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASSWD_FILE "/etc/passwd"
#define FIRST_SLOTS 64		 /* a power of two */
#define LARGEST_ENTRY (1U << 20) /* bytes of one user's entry */
#define NO_UID ((uid_t)-1)	 /* "leave it as it is" in chown(2): nobody's */

struct user {
	uid_t uid;
	char *name; /* NULL: free slot */
};

struct users {
	struct user *slots; /* open addressing, at most half full */
	size_t nr_slots;
	size_t nr;
	char fallback[16]; /* when there is no memory to remember a name */
};

/* What is looked for: a name, or with name NULL a uid. */
struct wanted {
	const char *name;
	uid_t uid;
};

static bool matches(const struct passwd *pw, const struct wanted *w)
{
	if (pw->pw_name[0] == '\0' || pw->pw_name[0] == '+' || pw->pw_name[0] == '-')
		return false; /* lines for the name service, not users */
	return w->name ? strcmp(pw->pw_name, w->name) == 0 : pw->pw_uid == w->uid;
}

/* 0, -ERANGE when buf is too small, or -ENOENT. */
static int find_in_file(const struct wanted *w, struct passwd *pw, char *buf, size_t size)
{
	FILE *f = fopen(PASSWD_FILE, "re");
	struct passwd *found;
	int err;

	if (!f)
		return -ENOENT;
	do
		err = fgetpwent_r(f, pw, buf, size, &found);
	while (err == 0 && !matches(pw, w));
	fclose(f);
	return err == ERANGE ? -ERANGE : err ? -ENOENT : 0;
}

static int find_by_service(const struct wanted *w, struct passwd *pw, char *buf, size_t size)
{
#ifdef CLOCKTOP_STATIC
	(void)w, (void)pw, (void)buf, (void)size;
	return -ENOENT;
#else
	struct passwd *found = NULL;
	int err;

	do
		err = w->name ? getpwnam_r(w->name, pw, buf, size, &found)
			      : getpwuid_r(w->uid, pw, buf, size, &found);
	while (err == EINTR);
	return err == ERANGE ? -ERANGE : err || !found ? -ENOENT : 0;
#endif
}

/* Finds a user.  0, with the entry's strings in *buf, which the caller frees;
 * or -ENOENT. */
static int find(const struct wanted *w, struct passwd *pw, char **buf)
{
	static int (*const sources[])(const struct wanted *, struct passwd *, char *, size_t) = {
	    find_in_file,
	    find_by_service,
	};
	size_t size = 1024;
	char *grown;

	*buf = malloc(size);
	for (size_t i = 0; *buf && i < sizeof(sources) / sizeof(sources[0]);) {
		int err = sources[i](w, pw, *buf, size);

		if (err == 0)
			return 0;
		if (err != -ERANGE || size >= LARGEST_ENTRY) {
			i++;
			continue;
		}
		size *= 2;
		grown = realloc(*buf, size);
		if (!grown)
			break;
		*buf = grown;
	}
	free(*buf);
	*buf = NULL;
	return -ENOENT;
}

static struct user *slot_of(struct user *slots, size_t nr_slots, uid_t uid)
{
	size_t i = (uid * 2654435761U) & (nr_slots - 1); /* Knuth's multiplicative hash */

	while (slots[i].name && slots[i].uid != uid)
		i = (i + 1) & (nr_slots - 1);
	return &slots[i];
}

static bool grow(struct users *u)
{
	size_t nr_slots = u->nr_slots * 2;
	struct user *slots = calloc(nr_slots, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < u->nr_slots; i++)
		if (u->slots[i].name)
			*slot_of(slots, nr_slots, u->slots[i].uid) = u->slots[i];
	free(u->slots);
	u->slots = slots;
	u->nr_slots = nr_slots;
	return true;
}

struct users *users_new(void)
{
	struct users *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->nr_slots = FIRST_SLOTS;
	u->slots = calloc(u->nr_slots, sizeof(*u->slots));
	if (!u->slots) {
		free(u);
		return NULL;
	}
	return u;
}

void users_free(struct users *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->nr_slots; i++)
		free(u->slots[i].name);
	free(u->slots);
	free(u);
}

const char *users_name(struct users *u, uid_t uid)
{
	struct wanted w = {.uid = uid};
	struct user *slot = slot_of(u->slots, u->nr_slots, uid);
	struct passwd pw;
	char *buf, *name;

	if (slot->name)
		return slot->name;
	snprintf(u->fallback, sizeof(u->fallback), "%ju", (uintmax_t)uid);
	if (u->nr >= u->nr_slots / 2) {
		if (!grow(u))
			return u->fallback;
		slot = slot_of(u->slots, u->nr_slots, uid);
	}
	if (find(&w, &pw, &buf) == 0) {
		name = strdup(pw.pw_name);
		free(buf);
	} else {
		name = strdup(u->fallback);
	}
	if (!name)
		return u->fallback;
	*slot = (struct user){.uid = uid, .name = name};
	u->nr++;
	return name;
}

int users_find(const char *text, uid_t *uid)
{
	struct wanted w = {.name = text};
	struct passwd pw;
	uintmax_t number;
	char *buf, *end;

	if (text[0] == '\0')
		return -ENOENT;
	if (find(&w, &pw, &buf) == 0) {
		*uid = pw.pw_uid;
		free(buf);
		return 0;
	}
	if (text[strspn(text, "0123456789")] != '\0')
		return -ENOENT;
	errno = 0;
	number = strtoumax(text, &end, 10);
	if (errno || *end != '\0' || number >= NO_UID)
		return -ENOENT;
	*uid = (uid_t)number;
	return 0;
}
