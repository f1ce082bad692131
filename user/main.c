// SPDX-License-Identifier: GPL-2.0-only
/* Reads the command line and runs the command it names. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "message.h"
#include "options.h"

/*
 * What is opened next must not become standard input, output or error because
 * that was closed: messages would go into a pipe or a file of the program's.
 * In its place stands what can only fail, and what COMMAND does not inherit.
 */
static int reserve_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int flags = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		/* The lowest free number is taken: this one. */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags | O_CLOEXEC) != fd)
			return -1;
	}
	return 0;
}

/* Writes out what was printed; a reader that went away is no error. */
static int flush(void)
{
	if (fflush(stdout) == 0 || errno == EPIPE)
		return STATUS_OK;
	message("standard output: %s", strerror(errno));
	return STATUS_INCOMPLETE;
}

int main(int argc, char **argv)
{
	static int (*const run[NR_COMMAND])(const struct options *) = {
	    [COMMAND_TOP] = command_top,     [COMMAND_STAT] = command_stat,
	    [COMMAND_WHY] = command_why,     [COMMAND_CHECK] = command_check,
	    [COMMAND_BENCH] = command_bench,
	};
	struct options o;
	int status = STATUS_OK;

	if (reserve_descriptors() < 0)
		return STATUS_CANNOT; /* and nowhere to say it */
	setlocale(LC_CTYPE, "");      /* not LC_NUMERIC: numbers stay machine-readable */
	switch (options_parse(&o, argc, argv)) {
	case PARSED_RUN:
		status = run[o.command](&o);
		break;
	case PARSED_DONE:
		status = flush();
		break;
	case PARSED_ERROR:
		status = STATUS_USAGE;
		break;
	}
	options_free(&o);
	return status;
}
