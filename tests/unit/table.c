// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi.h"
#include "interval.h"
#include "table.h"
#include "users.h"

static const struct table_filter all = {.events = ~0U};
static const struct table_view by_rate = {.sort = SORT_RATE};

struct fixture {
	struct table *table;
	struct users *users;
	struct interval iv;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->table = table_new();
	f->users = users_new();
	assert_non_null(f->table);
	assert_non_null(f->users);
	interval_init(&f->iv);
	f->iv.seconds = 2;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	table_free(f->table);
	users_free(f->users);
	interval_free(&f->iv);
	free(f);
	return 0;
}

/* 1000 ns a call; a call of clock 99 costs nobody knows what. */
static double cost(void *arg, const struct record *r)
{
	(void)arg;
	return r->clock == 99 ? NAN : 1000;
}

/* One more record of the interval. */
static struct record *add(struct fixture *f, uint32_t pid, const char *comm, int32_t clock,
			  uint64_t count)
{
	struct interval *iv = &f->iv;
	struct record *r;

	if (iv->nr == iv->room) {
		iv->room = iv->room ? 2 * iv->room : 16;
		iv->records = reallocarray(iv->records, iv->room, sizeof(*r));
		assert_non_null(iv->records);
	}
	r = &iv->records[iv->nr++];
	memset(r, 0, sizeof(*r));
	r->proc = (struct proc_id){pid, pid * 10ULL};
	r->uid = 0;
	snprintf(r->comm, sizeof(r->comm), "%s", comm);
	snprintf(r->process, sizeof(r->process), "%s", comm);
	r->call = CALL_CLOCK_GETTIME;
	r->abi = abi_host();
	r->clock = clock;
	r->calls.count = count;
	r->object = "";
	return r;
}

static void gone(struct fixture *f, uint32_t pid, uint32_t tid)
{
	struct interval *iv = &f->iv;

	if (iv->nr_gone == iv->gone_room) {
		iv->gone_room = iv->gone_room ? 2 * iv->gone_room : 16;
		iv->gone = reallocarray(iv->gone, iv->gone_room, sizeof(*iv->gone));
	}
	assert_non_null(iv->gone);
	iv->gone[iv->nr_gone++] = (struct gone){{pid, pid * 10ULL}, tid};
}

/* Takes the interval in and starts the next. */
static void step(struct fixture *f)
{
	assert_int_equal(table_add(f->table, &f->iv, &all, cost, NULL), 0);
	f->iv.nr = 0;
	f->iv.nr_gone = 0;
}

/* The rows as "pid:name:count/total …". */
static const char *rows(struct fixture *f, const struct table_view *view)
{
	static char text[4096];
	ssize_t nr = table_rows(f->table, view, f->users);
	size_t len = 0;

	assert_true(nr >= 0);
	text[0] = '\0';
	for (size_t i = 0; i < (size_t)nr; i++) {
		const struct table_row *r = table_row(f->table, i);

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%u:%s:%ju/%ju",
					i ? " " : "", r->tid ? r->tid : r->proc.pid,
					view->group == GROUP_CONTAINER ? r->container : r->comm,
					(uintmax_t)r->count, (uintmax_t)r->total);
	}
	return text;
}

static void totals_grow_and_rates_are_replaced(void **state)
{
	struct fixture *f = *state;
	const struct table_row *row;

	add(f, 1, "a", 2, 10)->calls.errors = 3;
	add(f, 2, "b", 2, 30);
	step(f);
	assert_string_equal(rows(f, &by_rate), "2:b:30/30 1:a:10/10");
	add(f, 1, "a", 2, 100)->calls.errors = 4;
	step(f);
	assert_string_equal(rows(f, &by_rate), "1:a:100/110 2:b:0/30");
	row = table_row(f->table, 0);
	assert_true(row->rate == 50);
	assert_int_equal(row->errors, 7);
	assert_string_equal(row->user, "root");
	assert_true(fabs(row->cpu - 50 * 1000 / 1e9) < 1e-12);
	assert_false(row->cpu_open);
	assert_true(table_row(f->table, 1)->rate == 0);
	assert_true(table_row(f->table, 1)->cpu == 0);
}

static void a_new_name_replaces_the_old(void **state)
{
	struct fixture *f = *state;

	add(f, 1, "longer-name", 2, 1);
	step(f);
	add(f, 1, "b", 2, 1);
	step(f);
	assert_string_equal(rows(f, &by_rate), "1:b:1/2");
}

static void a_pid_used_again_is_another_process(void **state)
{
	struct fixture *f = *state;

	add(f, 1, "old", 2, 1);
	add(f, 1, "new", 2, 2)->proc.start_ns = 99;
	step(f);
	assert_string_equal(rows(f, &by_rate), "1:new:2/2 1:old:1/1");
}

static void the_exited_keep_their_row_until_the_next_refresh(void **state)
{
	struct fixture *f = *state;

	add(f, 1, "a", 2, 1);
	add(f, 2, "b", 2, 2);
	step(f);
	gone(f, 1, 0);
	gone(f, 77, 0); /* never seen */
	step(f);
	assert_string_equal(rows(f, &by_rate), "1:a:0/1 2:b:0/2");
	assert_true(table_row(f->table, 0)->exited);
	assert_false(table_row(f->table, 1)->exited);
	add(f, 2, "b", 2, 2);
	gone(f, 2, 0);
	step(f);
	assert_string_equal(rows(f, &by_rate), "2:b:2/4");
	assert_true(table_row(f->table, 0)->exited);
	step(f);
	assert_string_equal(rows(f, &by_rate), "");
}

static void parts_are_largest_first(void **state)
{
	struct fixture *f = *state;
	const struct table_row *row;

	add(f, 1, "a", 2, 5)->cause = CAUSE_CLOCK_ID;
	add(f, 1, "a", 99, 1);
	add(f, 1, "a", 3, 7)->via = VIA_DIRECT;
	step(f);
	assert_string_equal(rows(f, &by_rate), "1:a:13/13");
	row = table_row(f->table, 0);
	assert_int_equal(row->nr_parts, 3);
	assert_int_equal(row->parts[0].clock, 3);
	assert_int_equal(row->parts[0].via, VIA_DIRECT);
	assert_int_equal(row->parts[1].clock, 2);
	assert_int_equal(row->parts[1].cause, CAUSE_CLOCK_ID);
	assert_int_equal(row->parts[2].clock, 99);
	/* the cost of one call is not known: the rest is a lower bound */
	assert_true(row->cpu_open);
	assert_true(fabs(row->cpu - 6 * 1000 / 1e9) < 1e-12);
	assert_true(row->parts[2].cpu_open);
	assert_false(row->parts[0].cpu_open);
	/* without calls, by what they made before */
	step(f);
	rows(f, &by_rate);
	assert_int_equal(table_row(f->table, 0)->parts[0].clock, 3);
	assert_false(table_row(f->table, 0)->cpu_open);
}

static void threads_add_up_to_their_process(void **state)
{
	struct fixture *f = *state;
	const struct table_view threads = {.threads = true};
	struct record *r;

	r = add(f, 1, "worker-1", 2, 3);
	r->tid = 1;
	snprintf(r->process, sizeof(r->process), "server");
	r = add(f, 1, "worker-2", 2, 4);
	r->tid = 12;
	snprintf(r->process, sizeof(r->process), "server");
	step(f);
	assert_string_equal(rows(f, &by_rate), "1:server:7/7");
	assert_string_equal(rows(f, &threads), "12:worker-2:4/4 1:worker-1:3/3");
	gone(f, 1, 12);
	step(f);
	assert_string_equal(rows(f, &threads), "1:worker-1:0/3 12:worker-2:0/4");
	assert_true(table_row(f->table, 1)->exited);
	step(f);
	assert_string_equal(rows(f, &threads), "1:worker-1:0/3");
	assert_string_equal(rows(f, &by_rate), "1:server:0/7");
	assert_false(table_row(f->table, 0)->exited);
}

static struct record *add_thread(struct fixture *f, uint32_t pid, uint32_t tid, uint64_t count)
{
	char name[TASK_COMM];
	struct record *r;

	snprintf(name, sizeof(name), "t%u", tid);
	r = add(f, pid, name, 2, count);
	r->tid = tid;
	snprintf(r->process, sizeof(r->process), "server");
	return r;
}

static void threads_can_come_later_and_go_again(void **state)
{
	struct fixture *f = *state;
	const struct table_view threads = {.threads = true};

	add(f, 1, "server", 2, 30)->cause = CAUSE_CLOCK_ID;
	step(f);
	/* of these, 11 made 10 and 12 made 15; a third one is gone */
	add_thread(f, 1, 11, 10);
	add_thread(f, 1, 12, 15);
	assert_int_equal(table_add_threads(f->table, &f->iv, &all), 0);
	f->iv.nr = 0;
	assert_string_equal(rows(f, &threads), "11:t11:0/10 12:t12:0/15");
	assert_int_equal(table_row(f->table, 0)->parts[0].cause, CAUSE_CLOCK_ID);
	assert_string_equal(rows(f, &by_rate), "1:server:30/30");
	add_thread(f, 1, 12, 1);
	step(f);
	assert_string_equal(rows(f, &threads), "12:t12:1/16 11:t11:0/10");
	assert_string_equal(rows(f, &by_rate), "1:server:1/31");
	gone(f, 1, 12);
	step(f);
	table_drop_threads(f->table);
	assert_string_equal(rows(f, &threads), "");
	assert_string_equal(rows(f, &by_rate), "1:server:0/31");
	step(f);
	assert_string_equal(rows(f, &by_rate), "1:server:0/31");
}

/* After execve() in it, a thread has the id of the first one. */
static void threads_end_with_their_process(void **state)
{
	struct fixture *f = *state;
	const struct table_view threads = {.threads = true};

	add_thread(f, 1, 12, 5);
	add_thread(f, 2, 21, 1);
	step(f);
	gone(f, 1, 0);
	step(f);
	assert_string_equal(rows(f, &threads), "12:t12:0/5 21:t21:0/1");
	step(f);
	assert_string_equal(rows(f, &threads), "21:t21:0/1");
}

static void groups_add_up_the_living_and_the_exited(void **state)
{
	struct fixture *f = *state;
	const struct table_view commands = {.group = GROUP_COMMAND};
	const struct table_view containers = {.group = GROUP_CONTAINER};

	add(f, 1, "sh", 2, 1);
	add(f, 2, "sh", 3, 20);
	snprintf(add(f, 3, "db", 2, 7)->container, CONTAINER_ID, "0123456789ab");
	gone(f, 1, 0);
	step(f);
	assert_string_equal(rows(f, &commands), "2:sh:21/21 3:db:7/7");
	assert_int_equal(table_row(f->table, 0)->processes, 2);
	assert_int_equal(table_row(f->table, 0)->nr_parts, 2);
	assert_string_equal(rows(f, &containers), "2::21/21 3:0123456789ab:7/7");
	step(f);
	assert_string_equal(rows(f, &commands), "2:sh:0/21 3:db:0/7");
	assert_int_equal(table_row(f->table, 0)->processes, 1);
	assert_string_equal(rows(f, &by_rate), "2:sh:0/20 3:db:0/7");
	gone(f, 2, 0);
	step(f);
	step(f);
	add(f, 4, "sh", 2, 5)->uid = 65534;
	step(f);
	assert_string_equal(rows(f, &commands), "4:sh:5/26 3:db:0/7");
	assert_string_equal(table_row(f->table, 0)->user, "(several)");
	assert_string_equal(rows(f, &containers), "4::5/26 3:0123456789ab:0/7");
}

static void every_field_sorts_and_ties_go_by_pid(void **state)
{
	struct fixture *f = *state;
	struct table_view view = {0};
	static const char *const expected[NR_SORT] = {
	    [SORT_RATE] = "3:c:9/9 1:b:5/5 2:a:5/5 4:a:1/11",
	    [SORT_TOTAL] = "4:a:1/11 3:c:9/9 1:b:5/5 2:a:5/5",
	    [SORT_CPU] = "3:c:9/9 1:b:5/5 2:a:5/5 4:a:1/11",
	    [SORT_PID] = "1:b:5/5 2:a:5/5 3:c:9/9 4:a:1/11",
	    [SORT_USER] = "2:a:5/5 1:b:5/5 3:c:9/9 4:a:1/11",
	    [SORT_COMMAND] = "2:a:5/5 4:a:1/11 1:b:5/5 3:c:9/9",
	    [SORT_CLOCK] = "1:b:5/5 3:c:9/9 4:a:1/11 2:a:5/5",
	    [SORT_CAUSE] = "4:a:1/11 1:b:5/5 2:a:5/5 3:c:9/9",
	};
	static const char *const reversed[NR_SORT] = {
	    [SORT_RATE] = "4:a:1/11 1:b:5/5 2:a:5/5 3:c:9/9",
	    [SORT_TOTAL] = "1:b:5/5 2:a:5/5 3:c:9/9 4:a:1/11",
	    [SORT_CPU] = "4:a:1/11 1:b:5/5 2:a:5/5 3:c:9/9",
	    [SORT_PID] = "4:a:1/11 3:c:9/9 2:a:5/5 1:b:5/5",
	    [SORT_USER] = "1:b:5/5 3:c:9/9 4:a:1/11 2:a:5/5",
	    [SORT_COMMAND] = "3:c:9/9 1:b:5/5 2:a:5/5 4:a:1/11",
	    [SORT_CLOCK] = "2:a:5/5 1:b:5/5 3:c:9/9 4:a:1/11",
	    [SORT_CAUSE] = "1:b:5/5 2:a:5/5 3:c:9/9 4:a:1/11",
	};

	add(f, 4, "a", 2, 10);
	step(f);
	add(f, 3, "c", 2, 9);
	add(f, 1, "b", 2, 5);
	add(f, 2, "a", 4, 5)->uid = 1; /* daemon sorts before root */
	add(f, 4, "a", 2, 1)->cause = CAUSE_CLOCK_ID;
	step(f);
	for (int i = 0; i < NR_SORT; i++) {
		view.sort = (enum sort)i;
		view.reverse = false;
		assert_string_equal(rows(f, &view), expected[i]);
		view.reverse = true;
		assert_string_equal(rows(f, &view), reversed[i]);
	}
}

static void what_is_shown_can_be_narrowed(void **state)
{
	struct fixture *f = *state;
	struct table_view view = {0};

	add(f, 1, "java", 2, 10)->cause = CAUSE_CLOCKSOURCE;
	add(f, 2, "python3", 3, 4)->cause = CAUSE_CLOCK_ID;
	step(f);
	view.min_rate = 2;
	assert_string_equal(rows(f, &view), "1:java:10/10 2:python3:4/4");
	view.min_rate = 2.1;
	assert_string_equal(rows(f, &view), "1:java:10/10");
	view.min_rate = 0;
	view.text = "PYTHON";
	assert_string_equal(rows(f, &view), "2:python3:4/4");
	view.text = "clocks";
	assert_string_equal(rows(f, &view), "1:java:10/10");
	view.text = "THREAD_";
	assert_string_equal(rows(f, &view), "2:python3:4/4");
	view.text = "root";
	assert_string_equal(rows(f, &view), "1:java:10/10 2:python3:4/4");
	view.text = "nothing like it";
	assert_string_equal(rows(f, &view), "");
}

static void filters_choose_what_is_counted(void **state)
{
	struct fixture *f = *state;
	struct table_filter filter = {.events = 1U << CALL_TIME};
	const uid_t uids[] = {7, 8};
	regex_t comm;

	add(f, 1, "a", 2, 1);
	add(f, 2, "b", 0, 1)->call = CALL_TIME;
	assert_int_equal(table_add(f->table, &f->iv, &filter, cost, NULL), 0);
	assert_string_equal(rows(f, &by_rate), "2:b:1/1");

	filter = all;
	filter.uids = uids;
	filter.nr_uids = 2;
	assert_false(table_filter_record(&filter, &f->iv.records[0]));
	f->iv.records[0].uid = 8;
	assert_true(table_filter_record(&filter, &f->iv.records[0]));
	filter.followed_only = true;
	assert_false(table_filter_record(&filter, &f->iv.records[0]));
	f->iv.records[0].followed = true;
	assert_true(table_filter_record(&filter, &f->iv.records[0]));
	/* the name of the process, not of the thread */
	assert_int_equal(regcomp(&comm, "^(serv|x)er$", REG_EXTENDED | REG_NOSUB), 0);
	filter.comm = &comm;
	snprintf(f->iv.records[0].comm, TASK_COMM, "server");
	assert_false(table_filter_record(&filter, &f->iv.records[0]));
	snprintf(f->iv.records[0].process, TASK_COMM, "server");
	assert_true(table_filter_record(&filter, &f->iv.records[0]));
	regfree(&comm);
}

static void a_copy_stays_as_it_was(void **state)
{
	struct fixture *f = *state;
	struct table *table = f->table;

	add(f, 1, "a", 2, 1);
	add(f, 2, "b", 2, 2);
	step(f);
	f->table = table_copy(table);
	assert_non_null(f->table);
	gone(f, 1, 0);
	add(f, 3, "c", 2, 2);
	assert_int_equal(table_add(table, &f->iv, &all, cost, NULL), 0);
	f->iv.nr_gone = 0;
	assert_int_equal(table_add(table, &f->iv, &all, cost, NULL), 0);
	assert_string_equal(rows(f, &by_rate), "2:b:2/2 1:a:1/1");
	table_free(f->table);
	f->table = table;
	assert_string_equal(rows(f, &by_rate), "3:c:2/4 2:b:0/2");
}

/* A process can ask for as many clock ids as it likes. */
static void kinds_of_call_are_bounded_and_sums_right(void **state)
{
	struct fixture *f = *state;
	const struct table_row *row;
	uint64_t total = 0;

	for (int32_t clock = 1000; clock < 1000 + 3 * LEDGER_MAX_PARTS; clock++)
		add(f, 1, "a", clock, 2);
	step(f);
	assert_int_equal(table_rows(f->table, &by_rate, f->users), 1);
	row = table_row(f->table, 0);
	assert_int_equal(row->nr_parts, LEDGER_MAX_PARTS);
	assert_true(row->parts[0].others);
	for (size_t i = 0; i < row->nr_parts; i++)
		total += row->parts[i].total;
	assert_int_equal(total, 6 * LEDGER_MAX_PARTS);
	assert_int_equal(row->total, 6 * LEDGER_MAX_PARTS);
}

static void names_are_bounded_and_sums_right(void **state)
{
	struct fixture *f = *state;
	const struct table_view commands = {.group = GROUP_COMMAND};
	uint64_t total = 0;
	ssize_t nr;

	for (uint32_t pid = 1; pid <= 3 * LEDGER_MAX_NAMES; pid++) {
		char name[TASK_COMM];

		snprintf(name, sizeof(name), "n%u", pid);
		add(f, pid, name, 2, 1);
		gone(f, pid, 0);
	}
	step(f);
	step(f);
	nr = table_rows(f->table, &commands, f->users);
	assert_true(nr > 1 && nr <= LEDGER_MAX_NAMES + 1);
	for (ssize_t i = 0; i < nr; i++)
		total += table_row(f->table, (size_t)i)->total;
	assert_int_equal(total, 3 * LEDGER_MAX_NAMES);
}

/* Rows in an order that has nothing to do with their keys, by the thousand:
 * looked at from the top, found by key, and all of them. */
static void many_rows(void **state)
{
	enum { NR = 10007 };
	struct fixture *f = *state;
	const struct table_row *row;
	uint64_t last = UINT64_MAX;
	struct ledger_key key;

	for (uint32_t i = 0; i < NR; i++)
		add(f, 1 + i, "x", 2, 1 + (i * 7919ULL) % NR);
	step(f);
	assert_int_equal(table_rows(f->table, &by_rate, f->users), NR);
	for (size_t i = 0; i < 40; i++)
		assert_int_equal(table_row(f->table, i)->count, NR - i);
	row = table_row(f->table, 5000);
	assert_int_equal(row->count, NR - 5000);
	key = row->key;
	assert_int_equal(table_rows(f->table, &by_rate, f->users), NR);
	assert_int_equal(table_find(f->table, &key), 5000);
	key.proc.start_ns++;
	assert_int_equal(table_find(f->table, &key), -1);
	for (size_t i = 0; i < NR; i++) {
		row = table_row(f->table, i);
		assert_true(row->count < last);
		last = row->count;
	}
}

/* Of process 1 and its thread 11: found out late. */
static void what_is_found_out_late_is_filled_in(void **state)
{
	struct fixture *f = *state;
	const struct table_view threads = {.sort = SORT_RATE, .threads = true};
	struct record late, other, *r;

	r = add(f, 1, "a", 2, 10);
	r->tid = 11;
	r->where = WHERE_ASKED;
	late = *r;
	other = *add(f, 1, "a", 3, 5);
	step(f);
	late.cause = CAUSE_CLOCKSOURCE;
	snprintf(late.container, sizeof(late.container), "0123456789ab");
	other.cause = CAUSE_LIBC;
	other.where = WHERE_ASKED; /* not where the part's calls came from */
	table_settle(f->table, &late, 1);
	table_settle(f->table, &other, 1);
	assert_string_equal(rows(f, &threads), "11:a:10/10");
	assert_int_equal(table_row(f->table, 0)->parts[0].cause, CAUSE_CLOCKSOURCE);
	assert_string_equal(table_row(f->table, 0)->container, "0123456789ab");
	assert_string_equal(rows(f, &by_rate), "1:a:15/15");
	assert_int_equal(table_row(f->table, 0)->parts[0].cause, CAUSE_CLOCKSOURCE);
	assert_int_equal(table_row(f->table, 0)->parts[1].cause, CAUSE_UNKNOWN);

	/* What is known is not decided anew, nobody appears, and the container stays. */
	late.cause = CAUSE_DIRECT;
	table_settle(f->table, &late, 1);
	late.proc.pid = 2;
	table_settle(f->table, &late, 1);
	add(f, 1, "a", 3, 1);
	step(f);
	assert_string_equal(rows(f, &by_rate), "1:a:1/16");
	assert_string_equal(table_row(f->table, 0)->container, "0123456789ab");
	assert_int_equal(table_row(f->table, 0)->parts[1].cause, CAUSE_CLOCKSOURCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	    TEST(totals_grow_and_rates_are_replaced),
	    TEST(a_new_name_replaces_the_old),
	    TEST(what_is_found_out_late_is_filled_in),
	    TEST(a_pid_used_again_is_another_process),
	    TEST(the_exited_keep_their_row_until_the_next_refresh),
	    TEST(parts_are_largest_first),
	    TEST(threads_add_up_to_their_process),
	    TEST(threads_can_come_later_and_go_again),
	    TEST(threads_end_with_their_process),
	    TEST(groups_add_up_the_living_and_the_exited),
	    TEST(every_field_sorts_and_ties_go_by_pid),
	    TEST(what_is_shown_can_be_narrowed),
	    TEST(filters_choose_what_is_counted),
	    TEST(a_copy_stays_as_it_was),
	    TEST(kinds_of_call_are_bounded_and_sums_right),
	    TEST(names_are_bounded_and_sums_right),
	    TEST(many_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
