// SPDX-License-Identifier: GPL-2.0-only
#include "maps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proc.h"

/* A process has at most vm.max_map_count mappings, 65,530 unless somebody
 * raised it. */
#define MAX_LINES 1000000

/* The kernel writes no line longer than a page and some: a path beyond that
 * is cut.  Twice that leaves room for a whole line behind a part of one. */
#define BUFFER (64 * 1024)

/* The value of a digit, or one that no base has. */
static unsigned int digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : UINT_MAX;
}

/* A number in the base at *p, ended by `end`, which is skipped.  There can be a
 * hundred thousand of them in a file: strtoull() takes three times as long. */
static bool take_number(const char **p, unsigned int base, char end, uint64_t *n)
{
	const char *at = *p;
	uint64_t value = 0;

	for (; digit(*at) < base; at++)
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit(*at), &value))
			return false;
	if (at == *p || *at != end)
		return false;
	*n = value;
	*p = at + (end != '\0');
	return true;
}

bool maps_parse(const char *line, struct mapping *m)
{
	uint64_t major, minor;
	const char *p = line;

	if (!take_number(&p, 16, '-', &m->start) || !take_number(&p, 16, ' ', &m->end))
		return false;
	if (strnlen(p, 5) < 5 || p[4] != ' ')
		return false;
	m->readable = p[0] == 'r';
	m->writable = p[1] == 'w';
	m->executable = p[2] == 'x';
	p += 5;
	if (!take_number(&p, 16, ' ', &m->offset) || !take_number(&p, 16, ':', &major) ||
	    !take_number(&p, 16, ' ', &minor))
		return false;
	/* The inode is the last word of a line without a name. */
	if (!take_number(&p, 10, ' ', &m->ino) && !take_number(&p, 10, '\0', &m->ino))
		return false;
	if (major > UINT32_MAX || minor > UINT32_MAX || m->end < m->start)
		return false;
	m->major = (unsigned int)major;
	m->minor = (unsigned int)minor;
	m->path = p + strspn(p, " ");
	return true;
}

/* Takes the whole lines at the head of buf.  Returns the bytes they have;
 * *more is false when each() had enough. */
static size_t take_lines(char *buf, size_t len, long *seen, bool *more,
			 bool (*each)(const struct mapping *m, void *arg), void *arg)
{
	size_t done = 0;
	char *end;

	while (*more && (end = memchr(buf + done, '\n', len - done))) {
		struct mapping m;

		*end = '\0';
		if (maps_parse(buf + done, &m)) {
			++*seen;
			*more = each(&m, arg) && *seen < MAX_LINES;
		}
		done = (size_t)(end - buf) + 1;
	}
	return done;
}

long maps_each(uint32_t pid, bool (*each)(const struct mapping *m, void *arg), void *arg)
{
	int fd = proc_open(pid, "maps", O_RDONLY);
	char *buf = NULL;
	size_t len = 0;
	bool more = true;
	long seen = 0;

	if (fd < 0)
		return fd;
	buf = malloc(BUFFER);
	if (!buf)
		seen = -ENOMEM;
	while (buf && more) {
		ssize_t n = read(fd, buf + len, BUFFER - len);
		size_t done;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			seen = -errno;
		if (n <= 0)
			break;
		len += (size_t)n;
		done = take_lines(buf, len, &seen, &more, each, arg);
		len -= done;
		memmove(buf, buf + done, len);
		if (len == BUFFER)
			len = 0; /* no line of the kernel's */
	}
	free(buf);
	close(fd);
	return seen;
}
