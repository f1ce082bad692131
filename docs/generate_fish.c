// SPDX-License-Identifier: GPL-2.0-only
#include "generate.h"

#include <stdio.h>
#include <string.h>

/* Text within single quotes. */
static void print_quoted(const char *text)
{
	for (; *text; text++) {
		if (strchr("'\\", *text))
			putchar('\\');
		putchar(*text);
	}
}

static void print_action(const struct option_entry *e)
{
	switch (e->kind) {
	case OPTION_FILE:
		printf(" -rF");
		break;
	case OPTION_PIDS:
		printf(" -xa '(__fish_complete_list , __fish_complete_pids)'");
		break;
	case OPTION_USERS:
		printf(" -xa '(__fish_complete_list , __fish_complete_users)'");
		break;
	case OPTION_EVENTS:
		printf(" -xa '(__fish_complete_list , \"printf %%s\\\\\\\\n ");
		print_words(e->words, " ");
		printf("\")'");
		break;
	case OPTION_WORD:
		printf(" -xa '");
		print_words(e->words, " ");
		printf("'");
		break;
	default:
		printf(" -x"); /* a number or free text */
		break;
	}
}

static void print_option(const struct option_entry *e, enum command command)
{
	printf("complete -c clocktop -n '__clocktop_is %s'", command_table[command].name);
	if (e->letter)
		printf(" -s %c", e->letter);
	printf(" -l %s -d '", e->name);
	print_quoted(e->help);
	putchar('\'');
	if (e->value)
		print_action(e);
	putchar('\n');
}

static void print_taking(const struct option_entry *e, enum command command)
{
	(void)command;
	if (!e->value)
		return;
	if (e->letter)
		printf(" -%c", e->letter);
	printf(" --%s", e->name);
}

static void print_operands(enum command command)
{
	const struct command_entry *c = &command_table[command];

	printf("complete -c clocktop -n '__clocktop_is %s' -", c->name);
	if (c->words) {
		fputs("xa '", stdout);
		print_words(c->words, " ");
		fputs("'\n", stdout);
	} else if (command == COMMAND_STAT) {
		fputs("xa '(__fish_complete_subcommand --fcs-skip=2", stdout);
		each_option(command, print_taking);
		fputs(")'\n", stdout);
	} else if (command == COMMAND_WHY) {
		fputs("xa '(__fish_complete_list , __fish_complete_pids)'\n", stdout);
	} else {
		fputs("f\n", stdout);
	}
}

void generate_fish(void)
{
	fputs("# SPDX-License-Identifier: GPL-2.0-only\n"
	      "# fish completion for clocktop; made from its table of options.\n"
	      "\n"
	      "function __clocktop_is --description 'Whether the command is $argv[1]'\n"
	      "\tset -l words (commandline -opc)\n"
	      "\tset -l command top\n"
	      "\tif set -q words[2]; and contains -- $words[2]",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++)
		printf(" %s", command_table[c].name);
	fputs("\n"
	      "\t\tset command $words[2]\n"
	      "\tend\n"
	      "\ttest $command = $argv[1]\n"
	      "end\n"
	      "\n"
	      "function __clocktop_first --description 'Whether no word was typed yet'\n"
	      "\ttest (count (commandline -opc)) = 1\n"
	      "end\n"
	      "\n",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++) {
		printf("complete -c clocktop -n __clocktop_first -xa %s -d '",
		       command_table[c].name);
		print_quoted(command_table[c].help);
		fputs("'\n", stdout);
	}
	for (int c = 0; c < NR_COMMAND; c++) {
		putchar('\n');
		each_option((enum command)c, print_option);
		print_operands((enum command)c);
	}
}
