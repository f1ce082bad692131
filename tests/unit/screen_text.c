// SPDX-License-Identifier: GPL-2.0-only
/* The live screen's pager, prompt and command lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_lines.h"
#include "proc.h"
#include "screen_pager.h"
#include "screen_prompt.h"

static void the_pager_scrolls_within_its_text(void **state)
{
	struct pager p = {0};

	(void)state;
	pager_set_height(&p, 2);
	pager_move(&p, 5);
	assert_int_equal(p.top, 0);
	assert_int_equal(pager_set(&p, "a\n\nc\nd"), 0);
	assert_int_equal(p.nr, 4);
	assert_string_equal(p.lines[0], "a");
	assert_string_equal(p.lines[1], "");
	assert_string_equal(p.lines[3], "d");
	pager_move(&p, 1);
	assert_int_equal(p.top, 1);
	pager_move(&p, LONG_MAX);
	assert_int_equal(p.top, 2);
	pager_move(&p, -1);
	assert_int_equal(p.top, 1);
	/* new text: it stays where it was, as far as there is something */
	assert_int_equal(pager_set(&p, "1\n2\n3\n4\n5\n"), 0);
	assert_int_equal(p.nr, 5);
	assert_int_equal(p.top, 1);
	assert_int_equal(pager_set(&p, "1\n2\n"), 0);
	assert_int_equal(p.top, 0);
	pager_move(&p, -LONG_MAX);
	assert_int_equal(p.top, 0);
	assert_int_equal(pager_set(&p, ""), 0);
	assert_int_equal(p.nr, 0);
	pager_free(&p);
}

static void type(struct prompt *p, const char *text)
{
	for (; *text; text++)
		prompt_type(p, *text);
}

static void the_prompt_takes_and_corrects(void **state)
{
	struct prompt p = {0};

	(void)state;
	type(&p, "java");
	assert_string_equal(p.text, "java");
	assert_true(prompt_type(&p, 0xe4));
	assert_true(prompt_type(&p, 0x65e5));
	assert_string_equal(p.text, "javaä日");
	assert_true(prompt_type(&p, '\b'));
	assert_string_equal(p.text, "javaä");
	assert_true(prompt_type(&p, 0x7f));
	assert_string_equal(p.text, "java");
	assert_false(prompt_type(&p, 0x01));
	assert_false(prompt_type(&p, 0x9b));
	type(&p, " -jar x");
	assert_true(prompt_type(&p, 'W' & 0x1f));
	assert_string_equal(p.text, "java -jar ");
	assert_true(prompt_type(&p, 'U' & 0x1f));
	assert_string_equal(p.text, "");
	assert_false(prompt_type(&p, '\b'));
	assert_false(prompt_type(&p, 'W' & 0x1f));
	prompt_set(&p, "kept");
	assert_string_equal(p.text, "kept");
}

static void the_prompt_is_full_at_some_time(void **state)
{
	struct prompt p = {0};

	(void)state;
	for (int i = 0; i < PROMPT_TEXT - 1; i++)
		assert_true(prompt_type(&p, 'x'));
	assert_false(prompt_type(&p, 'x'));
	assert_true(prompt_type(&p, '\b'));
	assert_false(prompt_type(&p, 0xe4)); /* two bytes */
	assert_true(prompt_type(&p, 'x'));
	assert_int_equal(strlen(p.text), PROMPT_TEXT - 1);
}

static void command_lines_outlive_their_process(void **state)
{
	struct command_lines c;
	struct proc_id self, child, wrong;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	command_lines_init(&c);
	self = (struct proc_id){(uint32_t)getpid(), proc_start_ns((uint32_t)getpid())};
	child = (struct proc_id){(uint32_t)pid, proc_start_ns((uint32_t)pid)};
	wrong = (struct proc_id){self.pid, self.start_ns + 1000000000ULL};
	assert_non_null(strstr(command_lines_get(&c, self), "screen_text"));
	assert_non_null(command_lines_get(&c, child));
	assert_null(command_lines_get(&c, wrong)); /* the pid is another's */
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_non_null(command_lines_get(&c, child));
	command_lines_renew(&c);
	assert_non_null(strstr(command_lines_get(&c, child), "screen_text"));
	command_lines_renew(&c);
	assert_non_null(command_lines_get(&c, child));
	/* out of sight for one refresh: forgotten */
	command_lines_renew(&c);
	command_lines_renew(&c);
	assert_null(command_lines_get(&c, child));
	assert_non_null(command_lines_get(&c, self));
	command_lines_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_pager_scrolls_within_its_text),
	    cmocka_unit_test(the_prompt_takes_and_corrects),
	    cmocka_unit_test(the_prompt_is_full_at_some_time),
	    cmocka_unit_test(command_lines_outlive_their_process),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
