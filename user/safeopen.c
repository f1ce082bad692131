// SPDX-License-Identifier: GPL-2.0-only
/*
 * The path is walked here, component by component, each symlink being checked
 * and read through the same descriptor: between a check by name and a use by
 * name it could be exchanged.
 */
#include "safeopen.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MAX_LINKS 40 /* as the kernel allows */

struct walk {
	int dir;    /* O_PATH: where we are */
	char *path; /* owned */
	char *rest; /* within path: what is left to walk, from dir */
	unsigned int links;
};

/* Whether something in the directory `dir` may have been planted there. */
static bool is_planted(const struct stat *dir, const struct stat *st)
{
	return (dir->st_mode & S_IWOTH) && st->st_uid != geteuid() && st->st_uid != dir->st_uid;
}

static void enter(struct walk *w, int dir)
{
	close(w->dir);
	w->dir = dir;
}

/* Goes on with the link's text in front of what is left. */
static int follow_text(struct walk *w, int link)
{
	char target[4096]; /* PATH_MAX: no link is longer */
	ssize_t len = readlinkat(link, "", target, sizeof(target) - 1);
	char *path;

	if (len < 0)
		return -errno;
	target[len] = '\0';
	if (len == 0 || ++w->links > MAX_LINKS)
		return len == 0 ? -ENOENT : -ELOOP;
	if (asprintf(&path, "%s%s%s", target, w->rest[0] ? "/" : "", w->rest) < 0)
		return -ENOMEM;
	free(w->path);
	w->path = w->rest = path;
	if (target[0] == '/') {
		int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (root < 0)
			return -errno;
		enter(w, root);
	}
	return 0;
}

/* Whether the kernel is to follow a link: those of /proc have targets beyond
 * their text, and no user can plant one. */
static bool is_proc(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Deals with the component `name`, which is no file to be opened: enters a
 * directory, follows a symlink.  0, 1 when the kernel is to follow it, or
 * -errno. */
static int step(struct walk *w, const char *name)
{
	int fd = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st, dir;
	int err;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) != 0 || fstat(w->dir, &dir) != 0) {
		err = -errno;
	} else if (S_ISDIR(st.st_mode)) {
		enter(w, fd);
		return 0;
	} else if (!S_ISLNK(st.st_mode)) {
		err = -ENOTDIR;
	} else if (is_planted(&dir, &st)) {
		err = -ELOOP;
	} else if (is_proc(fd)) {
		err = 1;
	} else {
		err = follow_text(w, fd);
	}
	close(fd);
	return err;
}

/* Whether an existing file, opened in w->dir, may be written to. */
static int check(const struct walk *w, int fd)
{
	struct stat st, dir;

	if (fstat(fd, &st) != 0 || fstat(w->dir, &dir) != 0)
		return -errno;
	return is_planted(&dir, &st) ? -EACCES : 0;
}

/* Opens `name` in w->dir unless it is a symlink (-ELOOP).  What exists and
 * what this call creates are told apart, for only the former can be planted. */
static int open_last(const struct walk *w, const char *name, int flags, mode_t mode)
{
	int fd, err;

	flags |= O_NOFOLLOW;
	if (!(flags & O_EXCL)) {
		fd = openat(w->dir, name, flags & ~O_CREAT);
		if (fd >= 0) {
			err = check(w, fd);
			if (!err)
				return fd;
			close(fd);
			return err;
		}
		if (errno != ENOENT || !(flags & O_CREAT))
			return -errno;
	}
	fd = openat(w->dir, name, flags | O_CREAT | O_EXCL, mode);
	return fd < 0 ? -errno : fd;
}

/* Walks one component.  A descriptor at the path's end; -EAGAIN: there is more;
 * or another -errno. */
static int walk_on(struct walk *w, int flags, mode_t mode)
{
	char *name = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(name, "/");
	bool last = name[len] == '\0';
	int fd, err;

	if (len == 0)
		return -EISDIR; /* "/", or a slash at the end */
	name[len] = '\0';
	w->rest = name + len + !last;
	if (last) {
		fd = open_last(w, name, flags, mode);
		if (fd != -ELOOP)
			return fd;
	}
	err = step(w, name);
	if (err <= 0)
		return err ? err : -EAGAIN;
	fd = openat(w->dir, name, last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC, mode);
	if (fd < 0)
		return -errno;
	if (last)
		return fd;
	enter(w, fd);
	return -EAGAIN;
}

int safe_open(const char *path, int flags, mode_t mode)
{
	struct walk w = {.dir = -1};
	int fd;

	if (path[0] == '\0')
		return -ENOENT;
	w.path = w.rest = strdup(path);
	if (!w.path)
		return -ENOMEM;
	w.dir = open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (w.dir < 0) {
		fd = -errno;
		free(w.path);
		return fd;
	}
	do
		fd = walk_on(&w, flags | O_CLOEXEC, mode);
	while (fd == -EAGAIN);
	close(w.dir);
	free(w.path);
	return fd;
}
