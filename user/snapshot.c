// SPDX-License-Identifier: GPL-2.0-only
#include "snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "sink.h"

#define MOST 99 /* names tried for one second */

static int create(struct sink **sink, const struct interval *iv, char name[SNAPSHOT_NAME])
{
	char stamp[sizeof("20261130T193000")];
	struct tm utc;
	int err;

	if (!gmtime_r(&iv->end.tv_sec, &utc) ||
	    !strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%S", &utc))
		return -EOVERFLOW;
	snprintf(name, SNAPSHOT_NAME, "clocktop-%s.csv", stamp);
	err = sink_create(sink, SINK_CSV, name);
	for (int n = 2; err == -EEXIST && n <= MOST; n++) {
		snprintf(name, SNAPSHOT_NAME, "clocktop-%s-%d.csv", stamp, n);
		err = sink_create(sink, SINK_CSV, name);
	}
	return err;
}

int snapshot_write(const struct interval *iv, bool threads, struct users *users,
		   char name[SNAPSHOT_NAME])
{
	struct sink *sink;
	int err = create(&sink, iv, name), closed;

	if (err)
		return err;
	err = sink_write(sink, iv, threads, users);
	closed = sink_close(sink);
	if (!err)
		err = closed;
	if (err)
		unlink(name);
	return err;
}
