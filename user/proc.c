// SPDX-License-Identifier: GPL-2.0-only
#include "proc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define NS_PER_S 1000000000ULL

int proc_open(uint32_t pid, const char *name, int flags)
{
	char *path;
	int fd;

	if (asprintf(&path, "/proc/%u/%s", pid, name) < 0)
		return -ENOMEM;
	/* No file of a process may block us, become our terminal or outlive exec. */
	fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		fd = -errno;
	free(path);
	return fd;
}

/* Fills buf as far as the file goes.  Length or -errno. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size - 1) {
		ssize_t n = read(fd, buf + len, size - 1 - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	buf[len] = '\0';
	return (ssize_t)len;
}

ssize_t proc_read(uint32_t pid, const char *name, char *buf, size_t size)
{
	int fd = proc_open(pid, name, O_RDONLY);
	ssize_t len;

	buf[0] = '\0';
	if (fd < 0)
		return fd;
	len = read_all(fd, buf, size);
	close(fd);
	return len;
}

/* Field number `field` (2 or more) of a stat file, or -1.  The name is in
 * parentheses and may hold any of " ()": the last ')' ends it. */
static long long stat_number(const char *stat, int field)
{
	const char *p = strrchr(stat, ')');
	long long n;
	char *end;

	if (!p)
		return -1;
	for (int at = 2; at < field; at++) {
		p = strchr(p, ' ');
		if (!p)
			return -1;
		p++;
	}
	errno = 0;
	n = strtoll(p, &end, 10);
	return errno || !isdigit((unsigned char)*p) ? -1 : n;
}

uint64_t proc_stat_start_ns(const char *stat, long ticks_per_second)
{
	long long ticks = stat_number(stat, 22), hz = ticks_per_second;

	if (ticks < 0 || hz <= 0)
		return 0;
	return (uint64_t)(ticks / hz) * NS_PER_S + (uint64_t)(ticks % hz) * NS_PER_S / (uint64_t)hz;
}

/* Reads the stat file of one of a process's threads.  Not /proc/PID/stat, for
 * which the kernel adds up the times of all threads: with ten thousand of them
 * that takes a millisecond (fs/proc/array.c, do_task_stat(), whole). */
static ssize_t read_stat(uint32_t pid, uint32_t tid, char *buf, size_t size)
{
	char name[32];

	snprintf(name, sizeof(name), "task/%u/stat", tid);
	return proc_read(pid, name, buf, size);
}

uint64_t proc_start_ns(uint32_t pid)
{
	char buf[1024];

	if (read_stat(pid, pid, buf, sizeof(buf)) < 0)
		return 0;
	return proc_stat_start_ns(buf, sysconf(_SC_CLK_TCK));
}

bool proc_is(uint32_t pid, uint64_t start_ns)
{
	uint64_t start = proc_start_ns(pid);
	uint64_t tick = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);

	return start != 0 && start_ns + tick > start && start_ns < start + tick;
}

/* Whether the text of a stat file is that of a task that has ended. */
static bool stat_ended(const char *stat)
{
	const char *p = strrchr(stat, ')');

	return p && p[1] == ' ' && (p[2] == 'Z' || p[2] == 'X');
}

uint32_t proc_living_thread(uint32_t pid)
{
	unsigned long living = 0;
	struct dirent *entry;
	char buf[1024];
	DIR *dir;
	int fd;

	if (read_stat(pid, pid, buf, sizeof(buf)) < 0 || !stat_ended(buf))
		return pid;
	fd = proc_open(pid, "task", O_RDONLY | O_DIRECTORY);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return pid;
	}
	while (!living && (entry = readdir(dir))) {
		unsigned long tid = strtoul(entry->d_name, NULL, 10);

		if (tid && tid <= UINT32_MAX &&
		    read_stat(pid, (uint32_t)tid, buf, sizeof(buf)) > 0 && !stat_ended(buf))
			living = tid;
	}
	closedir(dir);
	return living ? (uint32_t)living : pid;
}

bool proc_is_kernel_thread(uint32_t pid)
{
	const long long kthread = 0x00200000;
	long long flags;
	char buf[1024];

	if (proc_read(pid, "stat", buf, sizeof(buf)) < 0)
		return false;
	flags = stat_number(buf, 9);
	return flags > 0 && (flags & kthread);
}

ssize_t proc_cmdline(uint32_t pid, char *buf, size_t size)
{
	ssize_t len = proc_read(pid, "cmdline", buf, size);

	if (len <= 0)
		return len;
	while (len > 0 && buf[len - 1] == '\0')
		len--;
	for (ssize_t i = 0; i < len; i++)
		if (buf[i] == '\0')
			buf[i] = ' ';
	return len;
}

/* Where a link of the process leads, as we see it; "" without an answer. */
static void read_link(uint32_t pid, const char *name, char *buf, size_t size)
{
	char path[64];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	len = readlink(path, buf, size - 1);
	buf[len > 0 ? len : 0] = '\0';
}

void proc_exe(uint32_t pid, char *buf, size_t size)
{
	read_link(pid, "exe", buf, size);
}

/* The number behind "KEY:" at the head of a line, or -1. */
static long long status_number(const char *text, const char *key)
{
	size_t len = strlen(key);

	/* The kernel escapes newlines in the name, so lines are its own. */
	for (const char *line = text; line; line = strchr(line, '\n')) {
		char *end;
		long long n;

		line += *line == '\n';
		if (strncmp(line, key, len) != 0 || line[len] != ':')
			continue;
		n = strtoll(line + len + 1, &end, 10);
		return end == line + len + 1 || n < 0 || n > UINT32_MAX ? -1 : n;
	}
	return -1;
}

void proc_parse_status(const char *text, struct proc_status *status)
{
	long long tgid = status_number(text, "Tgid"), tracer = status_number(text, "TracerPid");
	long long seccomp = status_number(text, "Seccomp");

	status->tgid = tgid > 0 ? (uint32_t)tgid : 0;
	status->tracer = tracer > 0 ? (uint32_t)tracer : 0;
	status->seccomp = seccomp >= 0 && seccomp <= 2 ? (int)seccomp : -1;
}

static int read_status(uint32_t pid, const char *name, struct proc_status *status)
{
	char buf[8192];
	ssize_t len = proc_read(pid, name, buf, sizeof(buf));

	if (len < 0)
		return (int)len;
	proc_parse_status(buf, status);
	return 0;
}

int proc_status(uint32_t pid, struct proc_status *status)
{
	return read_status(pid, "status", status);
}

/* One thread: 1, 0, or -errno. */
static int thread_seccomp(uint32_t pid, const char *tid)
{
	char name[64];
	struct proc_status status;
	int err, len = snprintf(name, sizeof(name), "task/%s/status", tid);

	if (len < 0 || (size_t)len >= sizeof(name))
		return -EINVAL;
	err = read_status(pid, name, &status);
	if (err)
		return err;
	return status.seccomp < 0 ? -ENODATA : status.seccomp != 0;
}

int proc_seccomp(uint32_t pid, unsigned int max)
{
	int fd = proc_open(pid, "task", O_RDONLY | O_DIRECTORY), found = -ESRCH;
	struct dirent *entry;
	DIR *dir;

	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	while ((entry = readdir(dir))) {
		int filtered;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		if (max-- == 0) {
			found = -E2BIG;
			break;
		}
		filtered = thread_seccomp(pid, entry->d_name);
		if (filtered == -ENOENT || filtered == -ESRCH)
			continue; /* that thread ended */
		found = filtered;
		if (filtered)
			break;
	}
	closedir(dir);
	return found;
}

static int stat_of(uint32_t pid, const char *name, struct stat *st)
{
	char *path;
	int err = 0;

	if (asprintf(&path, "/proc/%u/%s", pid, name) < 0)
		return -ENOMEM;
	if (stat(path, st))
		err = -errno;
	free(path);
	return err;
}

int proc_same_pid_namespace(uint32_t pid)
{
	struct stat own, other;
	int err = stat_of(pid, "ns/pid", &other);

	if (err)
		return err;
	if (stat("/proc/self/ns/pid", &own))
		return -errno;
	return own.st_ino == other.st_ino && own.st_dev == other.st_dev;
}

int proc_fd_is_device(uint32_t pid, unsigned int fd)
{
	char name[32];
	struct stat st;
	int err;

	snprintf(name, sizeof(name), "fd/%u", fd);
	err = stat_of(pid, name, &st);
	return err ? err : S_ISCHR(st.st_mode);
}

int proc_memory(uint32_t pid, uint64_t addr, void *buf, size_t len)
{
	struct iovec local = {.iov_base = buf, .iov_len = len};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)addr, .iov_len = len};
	ssize_t n = process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0);

	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EFAULT;
}

/* Reopens for reading what fd, opened with O_PATH, refers to, if that is a
 * regular file: opening a device or a FIFO can do things.  Closes fd. */
static int reopen_regular(int fd)
{
	char path[64];
	struct stat st;
	int file = -EINVAL;

	if (fstat(fd, &st)) {
		file = -errno;
	} else if (S_ISREG(st.st_mode)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (file < 0)
			file = -errno;
	}
	close(fd);
	return file;
}

/* The part of a path, as we see it, that the process sees: the kernel writes paths
 * from the reader's root, or whole where that does not lead to them, also those of
 * a process whose root lies deeper (chroot(2)).  Source: fs/d_path.c. */
static const char *below_root(uint32_t pid, const char *path)
{
	char root[PATH_MAX];
	size_t len;

	read_link(pid, "root", root, sizeof(root));
	len = strlen(root);
	return len > 1 && strncmp(path, root, len) == 0 && path[len] == '/' ? path + len : path;
}

int proc_open_mapped(uint32_t pid, const char *path)
{
	struct open_how how = {
	    .flags = O_PATH | O_CLOEXEC,
	    .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int root = proc_open(pid, "root", O_PATH | O_DIRECTORY);
	long fd;

	if (root < 0)
		return root;
	fd = syscall(SYS_openat2, root, below_root(pid, path), &how, sizeof(how));
	if (fd < 0)
		fd = -errno;
	close(root);
	return fd < 0 ? (int)fd : reopen_regular((int)fd);
}

int proc_open_exe(uint32_t pid)
{
	int fd = proc_open(pid, "exe", O_PATH);

	return fd < 0 ? fd : reopen_regular(fd);
}

/* The id of the last 64- or 32-digit word of hex digits, where words end at
 * everything that is no letter or digit. */
void proc_container_of_path(const char *path, char id[13])
{
	id[0] = '\0';
	while (*path) {
		size_t digits = strspn(path, "0123456789abcdefABCDEF");
		size_t len = digits;

		while (isalnum((unsigned char)path[len]))
			len++;
		if (len == digits && (len == 64 || len == 32)) {
			memcpy(id, path, 12);
			id[12] = '\0';
		}
		path += len ? len : 1;
	}
}

void proc_container_of_cgroup(char *cgroup, char id[13])
{
	char *save, *line;

	id[0] = '\0';
	/* "hierarchy:controllers:path", one line for each hierarchy; any of
	 * them can name the container, 0:: is the unified one. */
	for (line = strtok_r(cgroup, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *path = strchr(line, ':');

		path = path ? strchr(path + 1, ':') : NULL;
		if (!path)
			continue;
		proc_container_of_path(path + 1, id);
		if (id[0])
			return;
	}
}

int proc_container(uint32_t pid, char id[13])
{
	/* A path has at most PATH_MAX bytes and there are a dozen hierarchies. */
	size_t size = 64 * 1024;
	char *buf = malloc(size);
	ssize_t len;

	id[0] = '\0';
	if (!buf)
		return -ENOMEM;
	len = proc_read(pid, "cgroup", buf, size);
	if (len >= 0)
		proc_container_of_cgroup(buf, id);
	free(buf);
	return len < 0 ? (int)len : 0;
}
