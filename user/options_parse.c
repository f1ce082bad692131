// SPDX-License-Identifier: GPL-2.0-only
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options_table.h"
#include "options_value.h"

struct parser {
	struct options *o;
	char **next;	 /* the word to be read next */
	size_t operands; /* words read that are no options */
	enum parsed end; /* what to return once a step said to stop */
};

static const struct option_entry *find_long(enum command command, const char *name, size_t len)
{
	for (size_t i = 0; i < nr_options; i++) {
		const struct option_entry *e = &option_table[i];

		if (option_has(e, command) && strlen(e->name) == len &&
		    memcmp(e->name, name, len) == 0)
			return e;
	}
	return NULL;
}

static const struct option_entry *find_letter(enum command command, char letter)
{
	for (size_t i = 0; i < nr_options; i++)
		if (option_has(&option_table[i], command) && option_table[i].letter == letter)
			return &option_table[i];
	return NULL;
}

/* Which other command has the option, or -1: people mix them up. */
static int command_having(const char *name, size_t len, char letter)
{
	for (int c = 0; c < NR_COMMAND; c++)
		if (letter ? find_letter(c, letter) : find_long(c, name, len))
			return c;
	return -1;
}

static bool error(struct parser *p)
{
	p->end = PARSED_ERROR;
	return false;
}

/* No option of this command: says of which one it is, if of any. */
static bool unknown(struct parser *p, const char *name, size_t len, char letter)
{
	int other = command_having(name, len, letter);
	char *what = NULL;

	if (asprintf(&what, letter ? "-%.*s" : "--%.*s", (int)len, name) < 0)
		what = NULL;
	if (other >= 0)
		options_error(p->o->command, what ? what : "",
			      "an option of clocktop %s, not of clocktop %s",
			      command_table[other].name, command_table[p->o->command].name);
	else
		options_error(p->o->command, what ? what : "", "unknown option");
	free(what);
	return error(p);
}

/* Acts on an option and its value (NULL for none).  false ends the parsing. */
static bool apply(struct parser *p, const struct option_entry *e, const char *value)
{
	if (e->kind == OPTION_HELP) {
		options_help(p->o->command);
		p->end = PARSED_DONE;
		return false;
	}
	if (e->kind == OPTION_VERSION) {
		printf("clocktop %s\n", CLOCKTOP_VERSION);
		p->end = PARSED_DONE;
		return false;
	}
	return options_set(p->o, e, value) || error(p);
}

/* The next word as the value of e. */
static bool apply_next(struct parser *p, const struct option_entry *e)
{
	char what[40];

	if (*p->next)
		return apply(p, e, *p->next++);
	snprintf(what, sizeof(what), "--%s", e->name);
	options_error(p->o->command, what, "it needs %s after it", e->value);
	return error(p);
}

/* "--name", "--name=value", "--name value". */
static bool parse_long(struct parser *p, const char *name)
{
	size_t len = strcspn(name, "=");
	const struct option_entry *e = find_long(p->o->command, name, len);
	char what[40];

	if (!e)
		return unknown(p, name, len, 0);
	if (e->value)
		return name[len] ? apply(p, e, name + len + 1) : apply_next(p, e);
	if (!name[len])
		return apply(p, e, NULL);
	snprintf(what, sizeof(what), "--%s", e->name);
	options_error(p->o->command, what, "it takes no value");
	return error(p);
}

/* "-abc", "-d1", "-d 1". */
static bool parse_letters(struct parser *p, const char *letters)
{
	for (; *letters; letters++) {
		const struct option_entry *e = find_letter(p->o->command, *letters);

		if (!e)
			return unknown(p, letters, 1, *letters);
		if (e->value)
			return letters[1] ? apply(p, e, letters + 1) : apply_next(p, e);
		if (!apply(p, e, NULL))
			return false;
	}
	return true;
}

/* A word that is no option, of a command other than stat. */
static bool parse_operand(struct parser *p, const char *word)
{
	struct options *o = p->o;
	const struct command_entry *c = &command_table[o->command];

	if (o->command == COMMAND_WHY)
		return options_add_pids(o, "PID", word) || error(p);
	if (c->words && p->operands++ == 0) {
		int found = options_word(c->words, word, strlen(word));
		char *words;

		if (found >= 0) {
			o->bench = (enum bench)found;
			return true;
		}
		words = options_join(c->words);
		options_error(o->command, c->name, "\"%s\" is no experiment (%s)", word,
			      words ? words : "out of memory");
		free(words);
		return error(p);
	}
	for (int i = 0; i < NR_COMMAND; i++)
		if (strcmp(command_table[i].name, word) == 0) {
			options_error(o->command, word, "a command comes before all options");
			return error(p);
		}
	options_error(o->command, "", "\"%s\" is %s", word,
		      o->command == COMMAND_TOP ? "no command" : "one word too many");
	return error(p);
}

static bool parse_words(struct parser *p)
{
	bool options = true;

	while (*p->next) {
		char *word = *p->next;
		bool go_on;

		if (options && strcmp(word, "--") == 0) {
			p->next++;
			options = false;
			continue;
		}
		if (!options || word[0] != '-' || !word[1]) {
			if (p->o->command == COMMAND_STAT) {
				p->o->argv = p->next;
				return true;
			}
			p->next++;
			go_on = parse_operand(p, word);
		} else {
			p->next++;
			go_on =
			    word[1] == '-' ? parse_long(p, word + 2) : parse_letters(p, word + 1);
		}
		if (!go_on)
			return false;
	}
	return true;
}

static bool is_stdout(const char *file)
{
	return file && strcmp(file, "-") == 0;
}

/* What no single option can see. */
static bool check_together(struct options *o)
{
	if (o->csv && o->json && strcmp(o->csv, o->json) == 0)
		return options_error(o->command, "--json",
				     is_stdout(o->json)
					 ? "standard output is taken by --csv already"
					 : "its file is that of --csv");
	if (o->command == COMMAND_STAT) {
		if (is_stdout(o->output) && (is_stdout(o->csv) || is_stdout(o->json)))
			return options_error(o->command, "--output",
					     "standard output is taken by --%s already",
					     is_stdout(o->csv) ? "csv" : "json");
		if (o->all && o->nr_pids)
			return options_error(o->command, "--all-cpus",
					     "it cannot go with --pid: it is the whole host");
		if (o->interval_count && o->interval <= 0)
			return options_error(o->command, "--interval-count", "it needs --interval");
		if (o->append && (!o->output || is_stdout(o->output)))
			return options_error(o->command, "--append", "it needs --output FILE");
	}
	if (o->command == COMMAND_CHECK && o->duration > 0 && !o->has_max_rate)
		return options_error(o->command, "--duration", "it needs --max-rate");
	return true;
}

static void set_defaults(struct options *o)
{
	*o = (struct options){
	    .delay = 1,
	    .max_rate = -1,
	};
}

enum parsed options_parse(struct options *o, int argc, char **argv)
{
	struct parser p = {.o = o, .next = argv + (argc > 0), .end = PARSED_RUN};

	set_defaults(o);
	for (int c = 0; *p.next && c < NR_COMMAND; c++)
		if (strcmp(command_table[c].name, *p.next) == 0) {
			o->command = (enum command)c;
			p.next++;
			break;
		}
	if (!parse_words(&p))
		return p.end;
	o->has_max_rate = o->max_rate >= 0;
	if (!check_together(o))
		return PARSED_ERROR;
	if (!o->events)
		o->events = (1U << NR_CALL) - 1;
	if (o->duration <= 0)
		o->duration = 1;
	if (o->separator && strcmp(o->separator, "\\t") == 0)
		o->separator = "\t"; /* as perf stat takes it */
	if (o->command == COMMAND_TOP && !isatty(STDOUT_FILENO))
		o->batch = true;
	return PARSED_RUN;
}

void options_free(struct options *o)
{
	free(o->pids);
	free(o->uids);
	if (o->has_comm)
		regfree(&o->comm);
	free(o->comm_text);
	free(o->cpus);
	free(o->bench_threads);
	*o = (struct options){0};
}

bool options_follow(const struct options *o)
{
	return o->nr_pids > 0 || options_counts_command(o);
}

bool options_counts_command(const struct options *o)
{
	return o->argv && !o->all && o->nr_pids == 0;
}
