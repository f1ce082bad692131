// SPDX-License-Identifier: GPL-2.0-only
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "options_table.h"

#define WIDTH 80
#define INDENT 30 /* where the sentences beside the options begin */

/* Prints words of text from column `at` on, broken before WIDTH; further
 * lines begin at column `indent`.  ASCII only. */
static void wrap(const char *text, size_t at, size_t indent)
{
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (!first && at + 1 + len >= WIDTH) {
			printf("\n%*s", (int)indent, "");
			at = indent;
			first = true;
		}
		at += (size_t)printf("%s%.*s", first ? "" : " ", (int)len, text);
		first = false;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}

/* "  -p, --pid PID[,PID...]  these processes and what they fork" */
static void print_option(const struct option_entry *e)
{
	char letter[] = {'-', e->letter, ',', '\0'};
	size_t at = (size_t)printf("  %3s --%s%s%s", e->letter ? letter : "", e->name,
				   e->value ? " " : "", e->value ? e->value : "");

	if (at + 2 > INDENT) {
		putchar('\n');
		at = 0;
	}
	printf("%*s", (int)(INDENT - at), "");
	wrap(e->help, INDENT, INDENT);
	if (!e->words)
		return;
	printf("%*s", INDENT, "");
	at = INDENT;
	for (size_t i = 0; e->words[i]; i++) {
		size_t len = strlen(e->words[i]);

		if (i > 0 && at + len + 2 >= WIDTH)
			at = (size_t)printf("\n%*s", INDENT, "") - 1;
		else if (i > 0)
			at += (size_t)printf(" ");
		at += (size_t)printf("%s%s", e->words[i], e->words[i + 1] ? "," : "\n");
	}
}

void options_help(enum command command)
{
	const struct command_entry *c = &command_table[command];

	printf("Usage: clocktop %s [OPTIONS]%s%s\n", command == COMMAND_TOP ? "[top]" : c->name,
	       c->operands ? " " : "", c->operands ? c->operands : "");
	if (command == COMMAND_TOP)
		printf("       clocktop COMMAND [OPTIONS] ...\n");
	putchar('\n');
	wrap(c->about, 0, 0);
	if (command == COMMAND_TOP) {
		printf("\nCommands, each with its own --help:\n");
		for (int i = 0; i < NR_COMMAND; i++)
			printf("  %-6s %s\n", command_table[i].name, command_table[i].help);
	}
	printf("\nOptions:\n");
	for (size_t i = 0; i < nr_options; i++)
		if (option_has(&option_table[i], command))
			print_option(&option_table[i]);
	printf("\nThe manual says more: man 8 clocktop\n");
}
