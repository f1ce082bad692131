// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "interval.h"
#include "screen_list.h"
#include "users.h"

static const struct table_filter all = {.events = ~0U};

struct fixture {
	struct table *table;
	struct users *users;
	struct interval iv;
	struct table_view view;
	struct list list;
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
	f->iv.seconds = 1;
	list_set_height(&f->list, 4);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	list_free(&f->list);
	table_free(f->table);
	users_free(f->users);
	interval_free(&f->iv);
	free(f);
	return 0;
}

static double cost(void *arg, const struct record *r)
{
	(void)arg;
	(void)r;
	return 1;
}

static void add(struct fixture *f, uint32_t pid, int32_t clock, uint64_t count)
{
	struct interval *iv = &f->iv;
	struct record *r;

	iv->records = reallocarray(iv->records, iv->nr + 1, sizeof(*r));
	assert_non_null(iv->records);
	r = &iv->records[iv->nr++];
	memset(r, 0, sizeof(*r));
	r->proc = (struct proc_id){pid, pid * 10ULL};
	r->call = CALL_CLOCK_GETTIME;
	r->abi = abi_host();
	r->clock = clock;
	r->calls.count = count;
	r->object = "";
}

static void step(struct fixture *f)
{
	assert_int_equal(table_add(f->table, &f->iv, &all, cost, NULL), 0);
	f->iv.nr = 0;
	f->iv.nr_gone = 0;
	assert_int_equal(list_refresh(&f->list, f->table, &f->view, f->users), 0);
}

/* Processes 1 … nr, the first the busiest. */
static void fill(struct fixture *f, uint32_t nr)
{
	for (uint32_t pid = 1; pid <= nr; pid++)
		add(f, pid, 2, 1000 - pid);
	step(f);
}

/* What is in sight: pids, "pid/clock" for parts, the selected in brackets. */
static const char *sight(struct fixture *f)
{
	static char text[1024];
	struct list *l = &f->list;
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = l->top; i < l->nr_lines && i < l->top + l->height; i++) {
		struct list_line line = list_at(l, i);
		char name[32];

		snprintf(name, sizeof(name), line.part ? "%u/%d" : "%u", line.row->proc.pid,
			 line.part ? line.part->clock : 0);
		len +=
		    (size_t)snprintf(text + len, sizeof(text) - len, i == l->at ? "%s[%s]" : "%s%s",
				     i > l->top ? " " : "", name);
	}
	return text;
}

static void nothing_is_fine(void **state)
{
	struct fixture *f = *state;

	step(f);
	assert_string_equal(sight(f), "");
	assert_null(list_selected(&f->list));
	list_move(&f->list, 1);
	list_move(&f->list, -1);
	assert_false(list_open(&f->list, true));
	assert_string_equal(sight(f), "");
}

static void moving_stays_within_and_scrolls(void **state)
{
	struct fixture *f = *state;

	fill(f, 6);
	assert_string_equal(sight(f), "[1] 2 3 4");
	list_move(&f->list, 1);
	assert_string_equal(sight(f), "1 [2] 3 4");
	list_move(&f->list, 3);
	assert_string_equal(sight(f), "2 3 4 [5]");
	list_move(&f->list, 100);
	assert_string_equal(sight(f), "3 4 5 [6]");
	list_move(&f->list, 1);
	assert_string_equal(sight(f), "3 4 5 [6]");
	list_move(&f->list, -4);
	assert_string_equal(sight(f), "[2] 3 4 5");
	list_move(&f->list, -LONG_MAX);
	assert_string_equal(sight(f), "[1] 2 3 4");
	list_set_height(&f->list, 10);
	assert_string_equal(sight(f), "[1] 2 3 4 5 6");
}

static void the_selection_follows_its_process(void **state)
{
	struct fixture *f = *state;

	fill(f, 6);
	list_move(&f->list, 1);
	assert_int_equal(list_selected(&f->list)->proc.pid, 2);
	/* 2 falls to the end: the others had more */
	for (uint32_t pid = 3; pid <= 6; pid++)
		add(f, pid, 2, 10);
	step(f);
	assert_string_equal(sight(f), "5 6 1 [2]");
	/* and rises to the top */
	add(f, 2, 2, 10);
	step(f);
	assert_string_equal(sight(f), "[2] 1 3 4");
}

static void until_one_is_chosen_the_first_line_is(void **state)
{
	struct fixture *f = *state;

	fill(f, 3);
	add(f, 3, 2, 5000);
	step(f);
	assert_string_equal(sight(f), "[3] 1 2");
	list_move(&f->list, 2);
	add(f, 1, 2, 5000);
	step(f);
	assert_string_equal(sight(f), "1 [2] 3");
	list_release(&f->list);
	add(f, 3, 2, 9000);
	step(f);
	assert_string_equal(sight(f), "[3] 1 2");
}

static void when_it_is_gone_its_neighbour_is_selected(void **state)
{
	struct fixture *f = *state;
	struct gone gone = {{3, 30}, 0};

	fill(f, 6);
	list_move(&f->list, 2);
	f->iv.gone = malloc(sizeof(gone));
	assert_non_null(f->iv.gone);
	*f->iv.gone = gone;
	f->iv.nr_gone = 1;
	step(f);
	assert_string_equal(sight(f), "1 2 [3] 4"); /* until the next refresh */
	step(f);
	assert_string_equal(sight(f), "1 2 [4] 5");
	step(f);
	assert_string_equal(sight(f), "1 2 [4] 5");
}

static void rows_open_and_close(void **state)
{
	struct fixture *f = *state;
	struct list *l = &f->list;

	add(f, 1, 2, 100);
	add(f, 1, 3, 50);
	add(f, 1, 8, 25);
	add(f, 2, 2, 70);
	add(f, 3, 2, 60);
	add(f, 3, 3, 5);
	step(f);
	list_set_height(l, 10);
	assert_string_equal(sight(f), "[1] 2 3");
	assert_true(list_open(l, true));
	assert_false(list_open(l, true));
	assert_string_equal(sight(f), "[1] 1/2 1/3 1/8 2 3");
	list_move(l, 4);
	assert_string_equal(sight(f), "1 1/2 1/3 1/8 [2] 3");
	assert_false(list_open(l, true)); /* there is only one */
	list_move(l, 1);
	assert_true(list_open(l, true));
	assert_string_equal(sight(f), "1 1/2 1/3 1/8 2 [3] 3/2 3/3");
	/* the selection is on a part, and follows it */
	list_move(l, -2);
	assert_string_equal(sight(f), "1 1/2 1/3 [1/8] 2 3 3/2 3/3");
	add(f, 3, 2, 1000);
	add(f, 1, 8, 30);
	step(f);
	assert_string_equal(sight(f), "3 3/2 3/3 1 [1/8] 1/2 1/3 2");
	assert_int_equal(list_selected(l)->proc.pid, 1);
	/* closing takes the selection to the row */
	assert_true(list_open(l, false));
	assert_false(list_open(l, false));
	assert_string_equal(sight(f), "3 3/2 3/3 [1] 2");
	/* a row that is not there any more is forgotten */
	f->view.text = "THREAD_CPUTIME";
	step(f);
	assert_string_equal(sight(f), "[1] 3 3/2 3/3");
	f->view.text = "REALTIME_ALARM";
	step(f);
	assert_string_equal(sight(f), "[1]");
	f->view.text = NULL;
	step(f);
	assert_string_equal(sight(f), "[1] 2 3");
}

static void thousands_of_lines(void **state)
{
	struct fixture *f = *state;

	for (uint32_t pid = 1; pid <= 5000; pid++) {
		add(f, pid, 2, 10000 - pid);
		add(f, pid, 3, 1);
	}
	step(f);
	list_move(&f->list, 2499);
	assert_true(list_open(&f->list, true));
	list_move(&f->list, 10000);
	assert_int_equal(f->list.at, 5001);
	assert_string_equal(sight(f), "4997 4998 4999 [5000]");
	list_move(&f->list, -2500);
	assert_string_equal(sight(f), "[2500/3] 2501 2502 2503");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	    TEST(nothing_is_fine),
	    TEST(moving_stays_within_and_scrolls),
	    TEST(the_selection_follows_its_process),
	    TEST(until_one_is_chosen_the_first_line_is),
	    TEST(when_it_is_gone_its_neighbour_is_selected),
	    TEST(rows_open_and_close),
	    TEST(thousands_of_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
