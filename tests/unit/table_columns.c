// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "abi.h"
#include "table_columns.h"

/* The line of a row with one part, which a test changes. */
struct fixture {
	struct table_part parts[3];
	struct table_row row;
	struct table_line line;
	struct table_view view;
	struct table_traits traits;
};

static void start(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->parts[0] = (struct table_part){
	    .call = CALL_CLOCK_GETTIME,
	    .abi = abi_host(),
	    .clock = 1,
	    .cause = CAUSE_CLOCKSOURCE,
	    .object = "",
	};
	f->parts[1] = f->parts[0];
	f->parts[2] = f->parts[0];
	f->row = (struct table_row){
	    .proc = {4711, 1},
	    .user = "app",
	    .comm = "java",
	    .container = "",
	    .rate = 1390979.4,
	    .total = 12300000,
	    .errors = 3,
	    .cpu = 0.921,
	    .parts = f->parts,
	    .nr_parts = 1,
	    .processes = 1,
	};
	f->line = (struct table_line){.row = &f->row, .utf8 = true};
}

/* The cells, and above them the names, in a width of 200. */
static const char *text_of(struct fixture *f)
{
	static char text[20000];
	const struct layout_column *columns[TABLE_COLUMNS];
	size_t nr = table_columns(columns, &f->view, &f->traits), len;
	struct layout l;

	assert_int_equal(layout_init(&l, columns, nr), 0);
	assert_int_equal(layout_add(&l, &f->line), 0);
	layout_fit(&l, 200);
	len = layout_line(&l, LAYOUT_HEADING, true, text, sizeof(text));
	text[len++] = '\n';
	layout_line(&l, 0, true, text + len, sizeof(text) - len);
	layout_free(&l);
	return text;
}

/* One column's cell. */
static const char *cell(struct fixture *f, const char *name)
{
	static char buf[LAYOUT_CELL];
	const struct layout_column *columns[TABLE_COLUMNS];
	size_t nr = table_columns(columns, &f->view, &f->traits), i = 0;

	while (i < nr && strcmp(columns[i]->name, name) != 0)
		i++;
	if (i == nr)
		return NULL;
	buf[0] = '\0';
	columns[i]->print(buf, sizeof(buf), &f->line);
	return buf;
}

static void the_columns_of_the_design(void **state)
{
	struct fixture f;

	(void)state;
	start(&f);
	assert_string_equal(
	    text_of(&f), " PID USER COMMAND CLOCK        RATE/s  TOTAL ERR  CPU% VIA  CAUSE\n"
			 "4711 app  java    MONOTONIC 1,390,979 12.3 M   3 ~92.1 vdso clocksource");
	f.view.threads = true;
	f.row.tid = 4712;
	f.traits.foreign_abi = true;
	f.traits.containers = true;
	f.parts[0].abi = ABI_I386;
	f.row.container = "0123456789ab";
	assert_string_equal(text_of(&f), " PID  TID USER COMMAND CLOCK        RATE/s  TOTAL ERR  "
					 "CPU% VIA  CAUSE       ABI  CONTAINER\n"
					 "4711 4712 app  java    MONOTONIC 1,390,979 12.3 M   3 "
					 "~92.1 vdso clocksource i386 0123456789ab");
}

static void groups_have_columns_of_their_own(void **state)
{
	struct fixture f;

	(void)state;
	start(&f);
	f.view.threads = true; /* which says nothing of groups */
	f.view.group = GROUP_COMMAND;
	f.row.processes = 1200;
	assert_null(cell(&f, "PID"));
	assert_null(cell(&f, "TID"));
	assert_string_equal(cell(&f, "PROCS"), "1,200");
	assert_string_equal(cell(&f, "COMMAND"), "java");
	f.view.group = GROUP_CONTAINER;
	assert_null(cell(&f, "COMMAND"));
	assert_string_equal(cell(&f, "CONTAINER"), "(none)");
	f.row.container = "0123456789ab";
	assert_string_equal(cell(&f, "CONTAINER"), "0123456789ab");
}

static void clocks_have_short_names(void **state)
{
	struct fixture f;

	(void)state;
	start(&f);
	f.parts[0].clock = 2;
	assert_string_equal(cell(&f, "CLOCK"), "PROCESS_CPUTIME_ID");
	f.row.nr_parts = 3;
	assert_string_equal(cell(&f, "CLOCK"), "PROCESS_CPUTIME_ID\t +2");
	f.row.nr_parts = 1;
	f.parts[0].call = CALL_CLOCK_GETRES;
	assert_string_equal(cell(&f, "CLOCK"), "getres PROCESS_CPUTIME_ID");
	f.parts[0].call = CALL_GETTIMEOFDAY;
	assert_string_equal(cell(&f, "CLOCK"), "gettimeofday");
	f.parts[0].others = true;
	assert_string_equal(cell(&f, "CLOCK"), "(others)");
	assert_string_equal(cell(&f, "VIA"), "");
	assert_string_equal(cell(&f, "CAUSE"), "");
}

static void numbers_are_exact_or_say_that_they_are_not(void **state)
{
	struct fixture f;

	(void)state;
	start(&f);
	f.row.rate = 0;
	assert_string_equal(cell(&f, "RATE/s"), "0");
	f.row.rate = 0.1;
	assert_string_equal(cell(&f, "RATE/s"), "0.1");
	f.row.rate = 9.94;
	assert_string_equal(cell(&f, "RATE/s"), "9.9");
	f.row.rate = 9.96;
	assert_string_equal(cell(&f, "RATE/s"), "10");
	f.row.cpu = 0;
	assert_string_equal(cell(&f, "CPU%"), "~0.0");
	f.row.cpu_open = true;
	assert_string_equal(cell(&f, "CPU%"), "?");
	f.row.cpu = 0.5;
	assert_string_equal(cell(&f, "CPU%"), ">50.0");
}

static void parts_of_an_open_row(void **state)
{
	struct fixture f;

	(void)state;
	start(&f);
	f.row.nr_parts = 3;
	f.parts[1].clock = 3;
	f.parts[1].via = VIA_DIRECT;
	f.parts[1].object = "lib\033c.so";
	f.parts[1].rate = 12;
	f.parts[1].total = 100;
	f.parts[1].total_errors = 1;
	f.line.part = &f.parts[1];
	assert_string_equal(cell(&f, "PID"), "");
	assert_string_equal(cell(&f, "USER"), "");
	assert_string_equal(cell(&f, "COMMAND"), "  clock_gettime lib\\ec.so");
	assert_string_equal(cell(&f, "CLOCK"), "THREAD_CPUTIME_ID");
	assert_string_equal(cell(&f, "RATE/s"), "12");
	assert_string_equal(cell(&f, "TOTAL"), "100");
	assert_string_equal(cell(&f, "ERR"), "1");
	assert_string_equal(cell(&f, "VIA"), "direct");
}

static void names_are_made_safe(void **state)
{
	struct fixture f;

	(void)state;
	start(&f);
	f.row.comm = "a\033[2J\n\t\xff";
	f.row.user = "b\r";
	assert_string_equal(cell(&f, "COMMAND"), "a\\e[2J\\n\\t\\xff");
	assert_string_equal(cell(&f, "USER"), "b\\r");
	f.line.command = "java -jar \033x";
	assert_string_equal(cell(&f, "COMMAND"), "java -jar \\ex");
	f.line.utf8 = false;
	f.line.command = "\xc3\xa4";
	assert_string_equal(cell(&f, "COMMAND"), "\\u00e4");
}

static void traits_come_from_the_rows(void **state)
{
	struct fixture f;

	(void)state;
	start(&f);
	f.row.nr_parts = 3;
	table_traits_add(&f.traits, &f.row);
	assert_false(f.traits.foreign_abi);
	assert_false(f.traits.containers);
	f.parts[2].abi = abi_host() == ABI_I386 ? ABI_X86_64 : ABI_I386;
	f.parts[2].others = true;
	table_traits_add(&f.traits, &f.row);
	assert_false(f.traits.foreign_abi);
	f.parts[2].others = false;
	f.row.container = "x";
	table_traits_add(&f.traits, &f.row);
	assert_true(f.traits.foreign_abi);
	assert_true(f.traits.containers);
}

static void each_sort_field_has_its_column(void **state)
{
	static const char *const names[NR_SORT] = {
	    [SORT_RATE] = "RATE/s", [SORT_TOTAL] = "TOTAL", [SORT_CPU] = "CPU%",
	    [SORT_PID] = "PID",	    [SORT_USER] = "USER",   [SORT_COMMAND] = "COMMAND",
	    [SORT_CLOCK] = "CLOCK", [SORT_CAUSE] = "CAUSE",
	};
	const struct layout_column *columns[TABLE_COLUMNS];
	struct fixture f;
	size_t nr;

	(void)state;
	start(&f);
	nr = table_columns(columns, &f.view, &f.traits);
	for (int i = 0; i < NR_SORT; i++) {
		size_t at = table_sort_column(columns, nr, (enum sort)i);

		assert_true(at < nr);
		assert_string_equal(columns[at]->name, names[i]);
	}
	f.view.group = GROUP_COMMAND;
	nr = table_columns(columns, &f.view, &f.traits);
	assert_int_equal(table_sort_column(columns, nr, SORT_PID), nr);
}

/* At 80 columns, what a usual host shows is all there. */
static void a_usual_line_fits_in_80_columns(void **state)
{
	static char text[20000];
	const struct layout_column *columns[TABLE_COLUMNS];
	struct fixture f;
	struct layout l;

	(void)state;
	start(&f);
	f.row.proc.pid = 4194303;
	f.row.user = "postgres";
	f.row.comm = "postgres-writer";
	f.row.nr_parts = 3;
	f.parts[0].clock = 2;
	f.traits.containers = true;
	f.row.container = "0123456789ab";
	assert_int_equal(layout_init(&l, columns, table_columns(columns, &f.view, &f.traits)), 0);
	assert_int_equal(layout_add(&l, &f.line), 0);
	layout_fit(&l, 80);
	layout_line(&l, LAYOUT_HEADING, true, text, sizeof(text));
	assert_string_equal(
	    text, "    PID USER   COMMAND    CLOCK         RATE/s  TOTAL ERR  CPU% VIA  CAUSE");
	layout_line(&l, 0, true, text, sizeof(text));
	assert_string_equal(text, "4194303 postg… postgres-… PROCES… +2 1,390,979 12.3 M   3 ~92.1 "
				  "vdso clocksource");
	layout_fit(&l, 40);
	layout_line(&l, 0, true, text, sizeof(text));
	assert_string_equal(text, "4194303 postgres-… 1,390,979 clocksource");
	layout_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_columns_of_the_design),
	    cmocka_unit_test(groups_have_columns_of_their_own),
	    cmocka_unit_test(clocks_have_short_names),
	    cmocka_unit_test(numbers_are_exact_or_say_that_they_are_not),
	    cmocka_unit_test(parts_of_an_open_row),
	    cmocka_unit_test(names_are_made_safe),
	    cmocka_unit_test(traits_come_from_the_rows),
	    cmocka_unit_test(each_sort_field_has_its_column),
	    cmocka_unit_test(a_usual_line_fits_in_80_columns),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
