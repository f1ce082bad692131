// SPDX-License-Identifier: GPL-2.0-only
#include "generate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cause.h"
#include "columns.h"
#include "record.h"
#include "text.h"

/* Text as roff shows it: no escape or request of it is obeyed, `words` in
 * backquotes are bold. */
static void print_text(const char *text)
{
	bool bold = false;

	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	while (*text) {
		uint32_t c;

		text += text_char(text, strlen(text), &c);
		if (c == '`') {
			bold = !bold;
			fputs(bold ? "\\fB" : "\\fR", stdout);
		} else if (c == '\\') {
			fputs("\\e", stdout);
		} else if (c == '-') {
			fputs("\\-", stdout);
		} else if (c < 0x80) {
			putchar((int)c);
		} else {
			printf("\\[u%04X]", (unsigned int)c);
		}
	}
}

/* A clause as a sentence: with a capital and a full stop. */
static void print_sentence(const char *clause)
{
	char first[] = {(char)toupper((unsigned char)clause[0]), '\0'};

	print_text(first);
	print_text(clause + 1);
	if (clause[strlen(clause) - 1] != '.')
		putchar('.');
	putchar('\n');
}

/* "PID[,PID...]" with the words in capitals slanted, or "[--] [COMMAND]". */
static void print_value(const char *value)
{
	bool slanted = false;

	for (; *value; value++) {
		bool capital = isupper((unsigned char)*value);

		if (capital != slanted)
			fputs(capital ? "\\fI" : "\\fR", stdout);
		slanted = capital;
		if (*value == '-')
			putchar('\\');
		putchar(*value);
	}
	if (slanted)
		fputs("\\fR", stdout);
}

static void print_synopsis(void)
{
	for (int c = 0; c < NR_COMMAND; c++) {
		const struct command_entry *e = &command_table[c];

		if (c)
			puts(".br");
		printf("\\fBclocktop%s%s\\fR [\\fIOPTIONS\\fR]",
		       c == COMMAND_TOP ? "\\fR [\\fB" : " ", e->name);
		if (c == COMMAND_TOP)
			fputs("]", stdout);
		if (e->operands) {
			putchar(' ');
			print_value(e->operands);
		}
		putchar('\n');
	}
}

static void print_option(const struct option_entry *e)
{
	puts(".TP");
	if (e->letter)
		printf("\\fB\\-%c\\fR, ", e->letter);
	fputs("\\fB", stdout);
	fputs("\\-\\-", stdout);
	print_text(e->name);
	fputs("\\fR", stdout);
	if (e->value) {
		putchar(' ');
		print_value(e->value);
	}
	putchar('\n');
	print_sentence(e->help);
	if (e->words) {
		printf("%s of \\fB", e->kind == OPTION_EVENTS ? "Any" : "One");
		print_words(e->words, "\\fR, \\fB");
		puts("\\fR.");
	}
	if (e->more)
		print_sentence(e->more);
}

/* "Options of the live screen and of stat" */
static void print_heading(unsigned int commands)
{
	const char *joint = "";

	fputs(".SS \"Options of ", stdout);
	if (commands == (1U << NR_COMMAND) - 1) {
		puts("every command\"");
		return;
	}
	for (int c = 0; c < NR_COMMAND; c++) {
		if (!(commands & 1U << c))
			continue;
		printf("%s%s", joint, c == COMMAND_TOP ? "the live screen" : command_table[c].name);
		commands &= ~(1U << c);
		joint = commands & (commands - 1) ? ", " : " and ";
	}
	puts("\"");
}

static void print_options(void)
{
	for (size_t i = 0; i < nr_options; i++) {
		unsigned int commands = option_table[i].commands;
		size_t before = 0;

		while (option_table[before].commands != commands)
			before++;
		if (before < i)
			continue; /* printed with the first of its kind */
		print_heading(commands);
		for (size_t k = i; k < nr_options; k++)
			if (option_table[k].commands == commands)
				print_option(&option_table[k]);
	}
}

static void print_records(void)
{
	for (size_t i = 0; i < nr_columns; i++) {
		printf(".TP\n\\fB%s\\fR\n", columns[i].name);
		print_sentence(columns[i].meaning);
	}
}

static void print_causes(void)
{
	for (int i = 0; i < NR_CAUSE; i++) {
		enum cause cause = (enum cause)((i + 1) % NR_CAUSE); /* "unknown" last */

		fputs(".TP\n\\fB", stdout);
		print_text(cause_name(cause));
		fputs("\\fR\n", stdout);
		print_sentence(cause_meaning(cause));
		print_sentence(cause_remedy(cause));
	}
}

static void print_version(void)
{
	fputs(CLOCKTOP_VERSION, stdout);
}

static const struct {
	const char *name;
	void (*print)(void);
} placeholders[] = {
    {"@VERSION@", print_version},   {"@SYNOPSIS@\n", print_synopsis},
    {"@OPTIONS@\n", print_options}, {"@RECORDS@\n", print_records},
    {"@CAUSES@\n", print_causes},
};

/* What begins at text: the index of a placeholder, or -1. */
static int placeholder_at(const char *text)
{
	for (size_t i = 0; i < sizeof(placeholders) / sizeof(placeholders[0]); i++)
		if (strncmp(text, placeholders[i].name, strlen(placeholders[i].name)) == 0)
			return (int)i;
	return -1;
}

int generate_man(const char *template_path)
{
	FILE *file = fopen(template_path, "re");
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	if (!file) {
		perror(template_path);
		return -1;
	}
	while (getline(&line, &size, file) >= 0)
		for (const char *p = line; *p;) {
			int found = *p == '@' ? placeholder_at(p) : -1;

			if (found < 0) {
				putchar(*p++);
				continue;
			}
			placeholders[found].print();
			p += strlen(placeholders[found].name);
		}
	if (ferror(file)) {
		perror(template_path);
		err = -1;
	}
	free(line);
	fclose(file);
	return err;
}
