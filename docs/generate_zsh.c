// SPDX-License-Identifier: GPL-2.0-only
#include "generate.h"

#include <stdio.h>
#include <string.h>

/* Text within single quotes and, in _arguments, within brackets. */
static void print_quoted(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else if (strchr("[]:\\", *text))
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

static bool repeats(const struct option_entry *e)
{
	return e->kind == OPTION_PIDS || e->kind == OPTION_USERS || e->kind == OPTION_EVENTS ||
	       e->kind == OPTION_CPUS || e->kind == OPTION_THREADS;
}

static void print_action(const struct option_entry *e)
{
	switch (e->kind) {
	case OPTION_FILE:
		printf("_files");
		break;
	case OPTION_PIDS:
		printf("_sequence _pids");
		break;
	case OPTION_USERS:
		printf("_sequence _users");
		break;
	case OPTION_EVENTS:
		printf("_values -s , event ");
		print_words(e->words, " ");
		break;
	case OPTION_WORD:
		printf("(");
		print_words(e->words, " ");
		printf(")");
		break;
	default:
		printf(" "); /* a number or free text */
		break;
	}
}

/* '(-d --delay)'{-d+,--delay=}'[what it does]:SECONDS: ' */
static void print_option(const struct option_entry *e, enum command command)
{
	(void)command;
	fputs("\t\t\t", stdout);
	if (repeats(e))
		fputs("'*'", stdout);
	else if (e->letter)
		printf("'(-%c --%s)'", e->letter, e->name);
	if (e->letter)
		printf("{-%c%s,--%s%s}", e->letter, e->value ? "+" : "", e->name,
		       e->value ? "=" : "");
	else
		printf("--%s%s", e->name, e->value ? "=" : "");
	fputs("'[", stdout);
	print_quoted(e->help);
	putchar(']');
	if (e->value) {
		putchar(':');
		print_quoted(e->value);
		putchar(':');
		print_action(e);
	}
	fputs("' \\\n", stdout);
}

static void print_operands(enum command command)
{
	const struct command_entry *c = &command_table[command];

	if (c->words) {
		printf("\t\t\t':%s:(", c->name);
		print_words(c->words, " ");
		fputs(")' \\\n", stdout);
	} else if (command == COMMAND_STAT) {
		fputs("\t\t\t'(-):COMMAND:_command_names -e' \\\n"
		      "\t\t\t'*::ARG:_normal' \\\n",
		      stdout);
	} else if (command == COMMAND_WHY) {
		fputs("\t\t\t'*:PID:_sequence _pids' \\\n", stdout);
	}
}

void generate_zsh(void)
{
	fputs("#compdef clocktop\n"
	      "# SPDX-License-Identifier: GPL-2.0-only\n"
	      "# zsh completion for clocktop; made from its table of options.\n"
	      "\n"
	      "_clocktop() {\n"
	      "\tlocal command=top result=1\n"
	      "\tlocal -a names\n"
	      "\tnames=(\n",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++) {
		printf("\t\t'%s:", command_table[c].name);
		print_quoted(command_table[c].help);
		fputs("'\n", stdout);
	}
	fputs("\t)\n"
	      "\tif ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
	      "\t\t_describe -t commands command names\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tcase $words[2] in\n"
	      "\t(",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++)
		printf("%s%s", c ? "|" : "", command_table[c].name);
	fputs(")\n"
	      "\t\tcommand=$words[2]\n"
	      "\t\tshift words\n"
	      "\t\t((CURRENT--))\n"
	      "\t\t;;\n"
	      "\tesac\n"
	      "\tcase $command in\n",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++) {
		printf("\t(%s)\n\t\t_arguments -s -S \\\n", command_table[c].name);
		each_option((enum command)c, print_option);
		print_operands((enum command)c);
		fputs("\t\t\t&& result=0\n\t\t;;\n", stdout);
	}
	fputs("\tesac\n"
	      "\treturn result\n"
	      "}\n"
	      "\n"
	      "_clocktop \"$@\"\n",
	      stdout);
}
