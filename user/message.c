// SPDX-License-Identifier: GPL-2.0-only
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "signals.h"
#include "text.h"

#define PREFIX "clocktop: "

/* A message repeated at every refresh must not fill the memory. */
#define HELD_LIMIT (64 * 1024)

static bool holding;
static struct buffer held;
static unsigned long not_held;

/* Nobody is left to tell when standard error itself fails. */
static void write_all(const char *bytes, size_t len)
{
	signals_writing(STDERR_FILENO, false);
	while (len != 0) {
		ssize_t n = write(STDERR_FILENO, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		bytes += n;
		len -= (size_t)n;
	}
	signals_written();
}

static void add_line(struct buffer *line, const char *text, size_t len)
{
	char *end;

	buffer_text(line, PREFIX);
	end = buffer_reserve(line, TEXT_SAFE_SIZE(len));
	if (end)
		line->len += text_safe(end, TEXT_SAFE_SIZE(len), text, len, text_utf8());
	buffer_char(line, '\n');
}

static void say(const char *text, size_t len)
{
	struct buffer line = {0};

	if (!holding) {
		add_line(&line, text, len);
		write_all(buffer_string(&line), line.len);
		buffer_free(&line);
	} else if (held.len < HELD_LIMIT) {
		add_line(&held, text, len);
	} else {
		not_held++;
	}
}

void message(const char *format, ...)
{
	int saved = errno; /* callers often report it further */
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0) {
		say(format, strlen(format)); /* no memory: better this than nothing */
	} else {
		say(text, (size_t)len);
		free(text);
	}
	errno = saved;
}

void message_hold(void)
{
	holding = true;
}

void message_release(void)
{
	holding = false;
	write_all(buffer_string(&held), held.len);
	buffer_free(&held);
	if (not_held != 0)
		message("%lu more messages were dropped", not_held);
	not_held = 0;
}
