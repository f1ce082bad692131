// SPDX-License-Identifier: GPL-2.0-only
#include "table_columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "abi.h"
#include "text.h"

#define FEW_PER_SECOND 9.95 /* below, a rate shows a decimal */

static void print_pid(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;

	if (!l->part)
		snprintf(buf, size, "%" PRIu32, l->row->proc.pid);
}

static void print_tid(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;

	if (!l->part)
		snprintf(buf, size, "%" PRIu32, l->row->tid);
}

static void print_processes(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;

	if (!l->part)
		text_count(buf, size, l->row->processes);
}

static void print_user(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;

	if (!l->part)
		text_safe(buf, size, l->row->user, strlen(l->row->user), l->utf8);
}

/* Of a part, the call and whose code made it. */
static void print_call(char *buf, size_t size, const struct table_line *l)
{
	char object[LAYOUT_CELL / 2];

	if (l->part->others) {
		snprintf(buf, size, "  (others)");
		return;
	}
	text_safe(object, sizeof(object), l->part->object, strlen(l->part->object), l->utf8);
	snprintf(buf, size, object[0] ? "  %s %s" : "  %s", call_name(l->part->call), object);
}

static void print_command(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;
	const char *name = l->command ? l->command : l->row->comm;

	if (l->part)
		print_call(buf, size, l);
	else
		text_safe(buf, size, name, strlen(name), l->utf8);
}

/* In the place of COMMAND where rows stand for containers. */
static void print_group(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;

	if (l->part)
		print_call(buf, size, l);
	else
		snprintf(buf, size, "%s", l->row->container[0] ? l->row->container : "(none)");
}

static void print_container(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;

	if (!l->part)
		text_safe(buf, size, l->row->container, strlen(l->row->container), l->utf8);
}

char *table_part_name(char *buf, size_t size, const struct table_part *part)
{
	char clock[CLOCK_NAME];

	clock_short_name(clock, sizeof(clock), part->call, part->clock);
	if (part->others)
		snprintf(buf, size, "(others)");
	else if (!call_has_clock(part->call))
		snprintf(buf, size, "%s", call_name(part->call));
	else if (part->call == CALL_CLOCK_GETRES || part->call == CALL_CLOCK_GETRES_TIME64)
		snprintf(buf, size, "getres %s", clock);
	else
		snprintf(buf, size, "%s", clock);
	return buf;
}

/* The part that a line tells about. */
static const struct table_part *part_of(const struct table_line *l)
{
	return l->part ? l->part : &l->row->parts[0];
}

static void print_clock(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;
	char name[TABLE_PART_NAME];

	table_part_name(name, sizeof(name), part_of(l));
	if (l->part || l->row->nr_parts == 1)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "%s%c +%zu", name, LAYOUT_TAIL, l->row->nr_parts - 1);
}

static void print_rate(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;
	double rate = l->part ? l->part->rate : l->row->rate;

	if (l->row->is_new)
		snprintf(buf, size, "-");
	else if (rate > 0 && rate < FEW_PER_SECOND)
		snprintf(buf, size, "%.1f", rate);
	else
		text_count(buf, size, (uint64_t)llround(rate));
}

static void print_total(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;

	text_short(buf, size, l->part ? l->part->total : l->row->total);
}

static void print_errors(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;

	text_short(buf, size, l->part ? l->part->total_errors : l->row->errors);
}

/* "~" an estimate, ">" one that leaves out calls of unknown cost. */
static void print_cpu(char *buf, size_t size, const void *line)
{
	const struct table_line *l = line;
	double cpu = l->part ? l->part->cpu : l->row->cpu;
	bool open = l->part ? l->part->cpu_open : l->row->cpu_open;

	if (l->row->is_new)
		snprintf(buf, size, "-");
	else if (open && cpu == 0)
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%c%.1f", open ? '>' : '~', cpu * 100);
}

static void print_via(char *buf, size_t size, const void *line)
{
	const struct table_part *p = part_of(line);

	snprintf(buf, size, "%s", p->others ? "" : via_name(p->via));
}

static void print_cause(char *buf, size_t size, const void *line)
{
	const struct table_part *p = part_of(line);

	snprintf(buf, size, "%s", p->others ? "" : cause_name(p->cause));
}

static void print_abi(char *buf, size_t size, const void *line)
{
	const struct table_part *p = part_of(line);

	snprintf(buf, size, "%s", p->others ? "" : abi_name(p->abi));
}

/* What is never cut has min 0: numbers and the words of the design. */
#define COLUMN(id, name, align, rank, min, max, spare, print)                                      \
	static const struct layout_column id##_column = {name, align, rank, min, max, spare, print}
COLUMN(pid, "PID", LAYOUT_RIGHT, 1, 0, 0, false, print_pid);
COLUMN(tid, "TID", LAYOUT_RIGHT, 1, 0, 0, false, print_tid);
COLUMN(procs, "PROCS", LAYOUT_RIGHT, 1, 0, 0, false, print_processes);
COLUMN(user, "USER", LAYOUT_LEFT, 8, 6, 16, false, print_user);
COLUMN(command, "COMMAND", LAYOUT_LEFT, 2, 8, 16, false, print_command);
COLUMN(group, "CONTAINER", LAYOUT_LEFT, 2, 9, 32, false, print_group);
COLUMN(clock, "CLOCK", LAYOUT_LEFT, 5, 10, 26, false, print_clock);
COLUMN(rate, "RATE/s", LAYOUT_RIGHT, 3, 0, 0, false, print_rate);
COLUMN(total, "TOTAL", LAYOUT_RIGHT, 7, 0, 0, false, print_total);
COLUMN(errors, "ERR", LAYOUT_RIGHT, 9, 0, 0, false, print_errors);
COLUMN(cpu, "CPU%", LAYOUT_RIGHT, 6, 0, 0, false, print_cpu);
COLUMN(via, "VIA", LAYOUT_LEFT, 7, 0, 0, false, print_via);
COLUMN(cause, "CAUSE", LAYOUT_LEFT, 4, 0, 0, false, print_cause);
COLUMN(abi, "ABI", LAYOUT_LEFT, 10, 0, 0, true, print_abi);
COLUMN(container, "CONTAINER", LAYOUT_LEFT, 11, 0, 0, true, print_container);

void table_traits_add(struct table_traits *traits, const struct table_row *row)
{
	traits->containers |= row->container[0] != '\0';
	for (size_t i = 0; i < row->nr_parts && !traits->foreign_abi; i++)
		traits->foreign_abi = !row->parts[i].others && row->parts[i].abi != abi_host();
}

size_t table_columns(const struct layout_column *columns[TABLE_COLUMNS],
		     const struct table_view *view, const struct table_traits *traits)
{
	bool is_process = view->group == GROUP_PROCESS;
	bool is_container = view->group == GROUP_CONTAINER;
	const struct {
		const struct layout_column *column;
		bool shown;
	} all[] = {
	    {&pid_column, is_process},
	    {&tid_column, is_process && view->threads},
	    {&procs_column, !is_process},
	    {&user_column, true},
	    {&command_column, !is_container},
	    {&group_column, is_container},
	    {&clock_column, true},
	    {&rate_column, true},
	    {&total_column, true},
	    {&errors_column, true},
	    {&cpu_column, true},
	    {&via_column, true},
	    {&cause_column, true},
	    {&abi_column, traits->foreign_abi},
	    {&container_column, is_process && traits->containers},
	};
	size_t nr = 0;

	_Static_assert(sizeof(all) / sizeof(all[0]) <= TABLE_COLUMNS, "room for all");
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].shown)
			columns[nr++] = all[i].column;
	return nr;
}

size_t table_sort_column(const struct layout_column *const *columns, size_t nr, enum sort sort)
{
	static const struct layout_column *const by[NR_SORT] = {
	    [SORT_RATE] = &rate_column,	  [SORT_TOTAL] = &total_column,
	    [SORT_CPU] = &cpu_column,	  [SORT_PID] = &pid_column,
	    [SORT_USER] = &user_column,	  [SORT_COMMAND] = &command_column,
	    [SORT_CLOCK] = &clock_column, [SORT_CAUSE] = &cause_column,
	};
	size_t i = 0;

	while (i < nr && columns[i] != by[sort])
		i++;
	return i;
}
