// SPDX-License-Identifier: GPL-2.0-only
#include "command_lines.h"

#include <stdlib.h>
#include <string.h>

#include "proc.h"

#define COMMAND_LINE 512 /* bytes: no screen is wider */

void command_lines_init(struct command_lines *c)
{
	map_init(&c->now, sizeof(struct proc_key), sizeof(char *));
	map_init(&c->before, sizeof(struct proc_key), sizeof(char *));
}

static void empty(struct map *m)
{
	size_t at = 0;
	char **line;

	while ((line = map_each(m, &at, NULL)))
		free(*line);
	map_clear(m);
}

void command_lines_free(struct command_lines *c)
{
	empty(&c->now);
	empty(&c->before);
	map_free(&c->now);
	map_free(&c->before);
}

void command_lines_renew(struct command_lines *c)
{
	struct map old = c->before;

	empty(&old);
	c->before = c->now;
	c->now = old;
}

/* NULL: the process is gone, or never had one (a kernel thread). */
static char *read_line(struct proc_id proc)
{
	char line[COMMAND_LINE];

	if (proc_cmdline(proc.pid, line, sizeof(line)) <= 0)
		return NULL;
	/* Only then: before, it could still have ended and its pid been given
	 * to another. */
	return proc_is(proc.pid, proc.start_ns) ? strdup(line) : NULL;
}

const char *command_lines_get(struct command_lines *c, struct proc_id proc)
{
	struct proc_key key = proc_key(proc);
	char **line, **old;
	bool fresh;

	line = map_put(&c->now, &key, &fresh);
	if (!line)
		return NULL;
	if (!fresh)
		return *line;
	*line = read_line(proc);
	old = map_get(&c->before, &key);
	if (!*line && old) {
		*line = *old;
		*old = NULL;
	}
	return *line;
}
