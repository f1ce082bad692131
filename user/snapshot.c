// SPDX-License-Identifier: GPL-2.0-only
#include "snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "scribe.h"
#include "sink.h"

#define MOST 99 /* names tried for one second */

/* Creates the file of that name: here, or through the scribe. */
static int create_one(struct scribe *scribe, struct sink **sink, const char *name, bool *by_scribe)
{
	int err = sink_create(sink, SINK_CSV, name), fd;

	*by_scribe = false;
	if (err != -EACCES)
		return err;
	fd = scribe_create(scribe, name);
	if (fd < 0)
		return fd == -ENOENT ? err : fd;
	*by_scribe = true;
	return sink_adopt(sink, SINK_CSV, fd);
}

static int create(struct scribe *scribe, struct sink **sink, const struct interval *iv,
		  char name[SNAPSHOT_NAME], bool *by_scribe)
{
	char stamp[sizeof("20261130T193000")];
	struct tm utc;
	int err;

	if (!gmtime_r(&iv->end.tv_sec, &utc) ||
	    !strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%S", &utc))
		return -EOVERFLOW;
	snprintf(name, SNAPSHOT_NAME, "clocktop-%s.csv", stamp);
	err = create_one(scribe, sink, name, by_scribe);
	for (int n = 2; err == -EEXIST && n <= MOST; n++) {
		snprintf(name, SNAPSHOT_NAME, "clocktop-%s-%d.csv", stamp, n);
		err = create_one(scribe, sink, name, by_scribe);
	}
	return err;
}

int snapshot_write(struct scribe *scribe, const struct interval *iv, bool threads,
		   struct users *users, char name[SNAPSHOT_NAME])
{
	struct sink *sink;
	bool by_scribe;
	int err = create(scribe, &sink, iv, name, &by_scribe), closed;

	if (err)
		return err;
	err = sink_write(sink, iv, threads, users);
	closed = sink_close(sink);
	if (!err)
		err = closed;
	if (err && by_scribe)
		scribe_remove(scribe);
	else if (err)
		unlink(name);
	return err;
}
