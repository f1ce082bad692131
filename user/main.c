// SPDX-License-Identifier: GPL-2.0-only
/* Reads the command line and runs the command it names. */
#include <locale.h>

#include "commands.h"
#include "options.h"

int main(int argc, char **argv)
{
	static int (*const run[NR_COMMAND])(const struct options *) = {
		[COMMAND_TOP] = command_top,     [COMMAND_STAT] = command_stat,
		[COMMAND_WHY] = command_why,     [COMMAND_CHECK] = command_check,
		[COMMAND_BENCH] = command_bench,
	};
	struct options o;
	int status = STATUS_OK;

	setlocale(LC_CTYPE, ""); /* not LC_NUMERIC: numbers stay machine-readable */
	switch (options_parse(&o, argc, argv)) {
	case PARSED_RUN:
		status = run[o.command](&o);
		break;
	case PARSED_DONE:
		break;
	case PARSED_ERROR:
		status = STATUS_USAGE;
		break;
	}
	options_free(&o);
	return status;
}
