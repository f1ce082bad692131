// SPDX-License-Identifier: GPL-2.0-only
/*
 * The path is walked here, component by component, each symlink being checked
 * and read through the same descriptor: between a check by name and a use by
 * name it could be exchanged.
 */
#include "safeopen.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MAX_LINKS 40 /* as the kernel allows */

/* PATH_MAX is the kernel's limit too, for a path and for a link's text. */
struct walk {
	int dir; /* O_PATH: where we are */
	char path[PATH_MAX];
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
	char target[PATH_MAX];
	ssize_t len = readlinkat(link, "", target, sizeof(target));
	size_t left = strlen(w->rest);

	if (len < 0)
		return -errno;
	if (len == 0)
		return -ENOENT;
	if (++w->links > MAX_LINKS)
		return -ELOOP;
	if ((size_t)len + 1 + left >= sizeof(w->path))
		return -ENAMETOOLONG;
	if (left != 0)
		target[len++] = '/';
	memmove(w->path + len, w->rest, left + 1);
	memcpy(w->path, target, (size_t)len);
	w->rest = w->path;
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

/* The same of a FIFO that could not be opened, for want of a reader: nobody is
 * to be made to wait for who planted it.  -ENXIO or another -errno. */
static int check_unopened(const struct walk *w, const char *name)
{
	int fd = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = check(w, fd);
	close(fd);
	return err ? err : -ENXIO;
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
		if (errno == ENXIO)
			return check_unopened(w, name);
		if (errno != ENOENT || !(flags & O_CREAT))
			return -errno;
	}
	fd = openat(w->dir, name, flags | O_CREAT | O_EXCL, mode);
	return fd < 0 ? -errno : fd;
}

/* Walks one component.  1: there is more to walk; 0: *fd is open; or -errno. */
static int walk_on(struct walk *w, int flags, mode_t mode, int *fd)
{
	char *name = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(name, "/");
	bool last = name[len] == '\0';
	int err;

	if (len == 0)
		return -EISDIR; /* "/", or a slash at the end */
	name[len] = '\0';
	w->rest = name + len + !last;
	if (last) {
		*fd = open_last(w, name, flags, mode);
		if (*fd != -ELOOP)
			return *fd < 0 ? *fd : 0;
	}
	err = step(w, name);
	if (err <= 0)
		return err ? err : 1;
	*fd = openat(w->dir, name, last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC, mode);
	if (*fd < 0)
		return -errno;
	if (!last)
		enter(w, *fd);
	return !last;
}

int safe_open(const char *path, int flags, mode_t mode)
{
	struct walk w = {.rest = w.path};
	size_t len = strlen(path);
	int err = 1, fd = -1;

	if (len == 0)
		return -ENOENT;
	if (len >= sizeof(w.path))
		return -ENAMETOOLONG;
	memcpy(w.path, path, len + 1);
	w.dir = open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (w.dir < 0)
		return -errno;
	while (err > 0)
		err = walk_on(&w, flags | O_CLOEXEC, mode, &fd);
	close(w.dir);
	return err ? err : fd;
}
