// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the clock through whatever libc it is built with:
 *
 *   plain COUNT CALL CLOCK
 *
 * CALL is gettime, getres, gettimeofday or time.  Sleeps five milliseconds between
 * calls.  Plain enough for klibc.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int call(const char *what, int clock)
{
	struct timeval tv;

#ifndef __KLIBC__ /* has none of these */
	struct timespec ts;

	if (strcmp(what, "gettime") == 0)
		return clock_gettime(clock, &ts);
	if (strcmp(what, "getres") == 0)
		return clock_getres(clock, &ts);
#endif
	if (strcmp(what, "gettimeofday") == 0)
		return gettimeofday(&tv, NULL);
	if (strcmp(what, "time") == 0)
		return time(NULL) == (time_t)-1;
	return -1;
}

int main(int argc, char **argv)
{
	long count;

	if (argc != 4)
		return 2;
	for (count = atol(argv[1]); count > 0; count--) {
		struct timespec wait = {0, 5000000};

		if (call(argv[2], atoi(argv[3])))
			return 1;
		nanosleep(&wait, NULL);
	}
	return 0;
}
