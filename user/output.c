// SPDX-License-Identifier: GPL-2.0-only
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "safeopen.h"
#include "signals.h"

#define PAGE 4096
#define WAIT_MS 50    /* between two looks at pending signals */
#define HURRY_MS 1000 /* the most a reader gets when the end has come */

struct output {
	int fd;
	bool regular;
	bool hurry;   /* patience has a limit */
	int patience; /* ms, then */
	uint64_t written;
};

static bool is_fifo(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Opens without ever blocking in the kernel, where a blocked signal could not
 * end it. */
static int open_path(const char *path, enum output_mode mode)
{
	static const int flags[] = {
	    [OUTPUT_REPLACE] = 0,
	    [OUTPUT_APPEND] = O_APPEND,
	    [OUTPUT_NEW] = O_EXCL,
	};
	int fd;

	for (;;) {
		fd =
		    safe_open(path, O_WRONLY | O_CREAT | O_NOCTTY | O_NONBLOCK | flags[mode], 0666);
		if (fd != -ENXIO || !is_fifo(path))
			return fd;
		if (signals_end_asked() ||
		    nanosleep(&(struct timespec){.tv_nsec = WAIT_MS * 1000000L}, NULL) != 0)
			return -EINTR;
	}
}

/* Moves a descriptor off the place of standard input, output or error when that
 * is closed: what is printed there must not reach the file. */
static int move_up(int fd)
{
	int moved;

	if (fd > STDERR_FILENO)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (moved < 0)
		moved = -errno;
	close(fd);
	return moved;
}

static int open_named(const char *path, enum output_mode mode)
{
	int fd = open_path(path, mode);
	int flags;

	if (fd >= 0)
		fd = move_up(fd);
	if (fd < 0)
		return fd;
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0) {
		int err = -errno;

		close(fd);
		return err;
	}
	return fd;
}

/* A copy of standard output or error. */
static int open_copy(int of)
{
	int fd = fcntl(of, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	return fd < 0 ? -errno : fd;
}

/* What stands in for a closed one cannot be written to: better said now than
 * when all was measured. */
static int open_stdout(void)
{
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	if (flags < 0)
		return -errno;
	return (flags & O_ACCMODE) == O_RDONLY ? -EBADF : open_copy(STDOUT_FILENO);
}

/* Makes an output of fd (or passes its error on), which it closes on failure. */
static int adopt(struct output **out, int fd, bool truncate)
{
	struct output *o;
	struct stat st;
	int err;

	if (fd < 0)
		return fd;
	o = calloc(1, sizeof(*o));
	if (!o) {
		close(fd);
		return -ENOMEM;
	}
	o->fd = fd;
	if (fstat(fd, &st) != 0) {
		err = -errno;
		goto fail;
	}
	o->regular = S_ISREG(st.st_mode);
	if (truncate && o->regular && ftruncate(fd, 0) != 0) {
		err = -errno;
		goto fail;
	}
	*out = o;
	return 0;

fail:
	close(fd);
	free(o);
	return err;
}

int output_open(struct output **out, const char *path, enum output_mode mode)
{
	if (strcmp(path, "-") == 0)
		return adopt(out, open_stdout(), false);
	return adopt(out, open_named(path, mode), mode == OUTPUT_REPLACE);
}

int output_adopt(struct output **out, int fd)
{
	return adopt(out, fd, false);
}

int output_open_stderr(struct output **out)
{
	return adopt(out, open_copy(STDERR_FILENO), false);
}

/* Takes the last `len` bytes off the file again, if they are its last ones:
 * standard output can be shared with others. */
static void cut_off(struct output *o, size_t len)
{
	off_t end = lseek(o->fd, 0, SEEK_CUR);
	struct stat st;

	if (end < (off_t)len || fstat(o->fd, &st) != 0 || st.st_size != end)
		return;
	if (ftruncate(o->fd, end - (off_t)len) == 0 &&
	    lseek(o->fd, end - (off_t)len, SEEK_SET) >= 0)
		o->written -= len;
}

/* As many whole lines as `room` bytes hold, or one line if it is longer. */
static size_t piece(const char *bytes, size_t len, size_t room)
{
	const char *end;

	if (len <= room)
		return len;
	end = memrchr(bytes, '\n', room);
	if (!end)
		end = memchr(bytes + room, '\n', len - room);
	return end ? (size_t)(end - bytes) + 1 : len;
}

/* Room up to the file's next page.  The kernel copies page by page and stops
 * between two of them when the process is killed (mm/filemap.c:
 * generic_perform_write), which must not tear a line. */
static size_t room_in_page(const struct output *o)
{
	off_t end = lseek(o->fd, 0, SEEK_CUR);

	return PAGE - (end > 0 ? (size_t)(end % PAGE) : 0);
}

static int write_regular(struct output *o, const char *bytes, size_t len)
{
	size_t done = 0;
	int err = 0;

	while (done < len && !err) {
		size_t todo = piece(bytes + done, len - done, room_in_page(o));
		ssize_t n = write(o->fd, bytes + done, todo);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0)
			err = -EIO;
		else if (errno != EINTR)
			err = -errno;
	}
	o->written += done;
	if (err && done != 0)
		cut_off(o, done);
	return err;
}

static int wait_for_reader(struct output *o)
{
	struct pollfd p = {.fd = o->fd, .events = POLLOUT};

	for (;;) {
		int n = poll(&p, 1, o->hurry && o->patience <= 0 ? 0 : WAIT_MS);

		if (n > 0)
			return 0; /* or an error, which the write will name */
		if (n < 0 && errno != EINTR)
			return -errno;
		if (signals_end_asked())
			output_hurry(o);
		if (!o->hurry)
			continue;
		if (o->patience <= 0)
			return -EINTR;
		signals_start_terminal(o->fd);
		o->patience -= WAIT_MS;
	}
}

static int write_stream(struct output *o, const char *bytes, size_t len)
{
	while (len != 0) {
		size_t todo = piece(bytes, len, PIPE_BUF); /* pipe(7): taken at once */

		len -= todo;
		while (todo != 0) {
			int err = wait_for_reader(o), error;
			ssize_t n;

			if (err)
				return err;
			/* It may wait nevertheless: a terminal has room for less. */
			signals_writing(o->fd, false);
			n = write(o->fd, bytes, todo);
			error = errno;
			if (signals_written()) {
				output_hurry(o);
				o->patience = 0; /* do not wait for this reader again */
				return -EINTR;
			}
			errno = error;
			if (n < 0 && (errno == EINTR || errno == EAGAIN))
				continue;
			if (n <= 0)
				return n ? -errno : -EIO;
			bytes += n;
			todo -= (size_t)n;
			o->written += (uint64_t)n;
		}
	}
	return 0;
}

int output_write(struct output *o, const char *lines, size_t len)
{
	return o->regular ? write_regular(o, lines, len) : write_stream(o, lines, len);
}

void output_hurry(struct output *o)
{
	if (!o->hurry)
		o->patience = HURRY_MS;
	o->hurry = true;
}

uint64_t output_written(const struct output *o)
{
	return o->written;
}

int output_close(struct output *o)
{
	int err;

	if (!o)
		return 0;
	/* EINTR too leaves it closed (close(2), NOTES) */
	err = close(o->fd) != 0 && errno != EINTR ? -errno : 0;
	free(o);
	return err;
}
