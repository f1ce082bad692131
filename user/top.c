// SPDX-License-Identifier: GPL-2.0-only
/* The command top: the live screen, or batch mode where there is none. */
#include "commands.h"

#include <string.h>
#include <unistd.h>

#include "batch.h"
#include "message.h"
#include "screen.h"
#include "screen_term.h"
#include "signals.h"

static bool is_standard_output(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

int command_top(const struct options *o)
{
	bool text = !is_standard_output(o->csv) && !is_standard_output(o->json);
	const char *reason;
	int err = signals_open();
	int status;

	if (err) {
		message("cannot start: %s", strerror(-err));
		return STATUS_CANNOT;
	}
	if (o->batch || !text || !isatty(STDOUT_FILENO)) {
		status = batch_run(o, text);
	} else if (!term_usable(&reason)) {
		message("%s: plain text, as with --batch", reason);
		status = batch_run(o, text);
	} else {
		status = screen_run(o);
	}
	signals_close();
	return status;
}
