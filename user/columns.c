// SPDX-License-Identifier: GPL-2.0-only
#include "columns.h"

#include <math.h>
#include <string.h>

#include "abi.h"
#include "users.h"

/* What the host's row says in place of a syscall and a via. */
#define HOST_SYSCALL "all"
#define HOST_VIA "host"

static void print_time(struct buffer *out, const struct row_source *row)
{
	const struct timespec *end = &row->interval->end;
	struct tm tm;

	if (gmtime_r(&end->tv_sec, &tm))
		buffer_format(out, "%04d-%02d-%02dT%02d:%02d:%02d.%06ldZ", tm.tm_year + 1900,
			      tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
			      end->tv_nsec / 1000);
}

static void print_interval(struct buffer *out, const struct row_source *row)
{
	if (isfinite(row->interval->seconds))
		buffer_format(out, "%.9f", row->interval->seconds);
}

static void print_pid(struct buffer *out, const struct row_source *row)
{
	if (row->record)
		buffer_uint(out, row->record->proc.pid);
}

static void print_tid(struct buffer *out, const struct row_source *row)
{
	if (row->record && row->threads)
		buffer_uint(out, row->record->tid);
}

static void print_start(struct buffer *out, const struct row_source *row)
{
	if (row->record)
		buffer_uint(out, row->record->proc.start_ns);
}

static void print_comm(struct buffer *out, const struct row_source *row)
{
	const struct record *r = row->record;

	if (r)
		buffer_add(out, r->comm, strnlen(r->comm, sizeof(r->comm)));
}

static void print_user(struct buffer *out, const struct row_source *row)
{
	if (row->record)
		buffer_text(out, users_name(row->users, row->record->uid));
}

static void print_container(struct buffer *out, const struct row_source *row)
{
	const struct record *r = row->record;

	if (r)
		buffer_add(out, r->container, strnlen(r->container, sizeof(r->container)));
}

static void print_syscall(struct buffer *out, const struct row_source *row)
{
	buffer_text(out, row->record ? call_name(row->record->call) : HOST_SYSCALL);
}

static void print_abi(struct buffer *out, const struct row_source *row)
{
	if (row->record)
		buffer_text(out, abi_name(row->record->abi));
}

static void print_clock(struct buffer *out, const struct row_source *row)
{
	char name[CLOCK_NAME];

	if (row->record)
		buffer_text(out,
			    clock_name(name, sizeof(name), row->record->call, row->record->clock));
}

static void print_via(struct buffer *out, const struct row_source *row)
{
	buffer_text(out, row->record ? via_name(row->record->via) : HOST_VIA);
}

static void print_object(struct buffer *out, const struct row_source *row)
{
	const struct record *r = row->record;

	if (r && r->via == VIA_DIRECT && r->object)
		buffer_text(out, r->object);
}

static uint64_t count_of(const struct row_source *row)
{
	return row->record ? row->record->calls.count : row->interval->host_calls;
}

static void print_count(struct buffer *out, const struct row_source *row)
{
	buffer_uint(out, count_of(row));
}

static void print_errors(struct buffer *out, const struct row_source *row)
{
	if (row->record)
		buffer_uint(out, row->record->calls.errors);
}

static void print_rate(struct buffer *out, const struct row_source *row)
{
	double rate = (double)count_of(row) / row->interval->seconds;

	if (isfinite(rate)) /* no rate over no time */
		buffer_format(out, "%.3f", rate);
}

static void print_cause(struct buffer *out, const struct row_source *row)
{
	if (row->record)
		buffer_text(out, cause_name(row->record->cause));
}

static void print_missed(struct buffer *out, const struct row_source *row)
{
	if (!row->record)
		buffer_uint(out, row->interval->missed);
}

const struct column columns[] = {
    {"time", COLUMN_TEXT, "end of the interval: RFC 3339, UTC, microseconds", print_time},
    {"interval_s", COLUMN_NUMBER,
     "the interval's measured length in seconds, on the monotonic clock", print_interval},
    {"pid", COLUMN_NUMBER, "the process, as the initial pid namespace sees it", print_pid},
    {"tid", COLUMN_NUMBER, "the thread, as the initial pid namespace sees it; empty without `-H`",
     print_tid},
    {"start_ns", COLUMN_NUMBER,
     "when the process started, nanoseconds after boot; with pid it names a process for ever",
     print_start},
    {"comm", COLUMN_TEXT,
     "the process's name (with `-H` the thread's) at the interval's end, or when it exited",
     print_comm},
    {"user", COLUMN_TEXT, "the user's name, or the uid when it has none", print_user},
    {"container", COLUMN_TEXT,
     "the container's id, its first 12 hex digits; empty outside of containers, and of a "
     "process that ended before it could be looked at",
     print_container},
    {"syscall", COLUMN_TEXT, "the clock syscall; `all` in the host's record", print_syscall},
    {"abi", COLUMN_TEXT, "whose syscall table was used: `x86_64`, `i386`, `arm64` or `arm`",
     print_abi},
    {"clock", COLUMN_TEXT, "the clock's name; empty for gettimeofday and time, which take none",
     print_clock},
    {"via", COLUMN_TEXT,
     "how the call reached the kernel: `vdso`, `direct` or `vsyscall`; `host` in the host's "
     "record",
     print_via},
    {"object", COLUMN_TEXT,
     "for `direct` the file whose code made the call (base name), `[anon]` for memory "
     "without a file; empty when not known",
     print_object},
    {"count", COLUMN_NUMBER, "calls in the interval", print_count},
    {"errors", COLUMN_NUMBER,
     "how many of them failed: the kernel's answer was not 0 (for time: -4095 … -1), or a "
     "seccomp filter refused the call",
     print_errors},
    {"rate", COLUMN_NUMBER, "count / interval_s", print_rate},
    {"cause", COLUMN_TEXT, "why the vDSO did not serve the calls, in a word", print_cause},
    {"missed", COLUMN_NUMBER,
     "clock syscalls of the interval that could not be counted; in the host's record only",
     print_missed},
};

const size_t nr_columns = sizeof(columns) / sizeof(columns[0]);
const size_t nr_interval_columns = 2; /* time, interval_s */
