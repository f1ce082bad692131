// SPDX-License-Identifier: GPL-2.0-only
#include "options_value.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "number.h"
#include "proc.h"
#include "users.h"

bool options_error(enum command command, const char *what, const char *format, ...)
{
	const char *name = command == COMMAND_TOP ? "" : command_table[command].name;
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	message("%s%s%s. See clocktop%s%s --help", what, *what ? ": " : "",
		text ? text : "out of memory", *name ? " " : "", name);
	free(text);
	return false;
}

/* The same for an option: named as its long form. */
#define FAIL(o, e, ...) options_error((o)->command, option_name((char[40]){0}, 40, e), __VA_ARGS__)

static const char *option_name(char *buf, size_t size, const struct option_entry *e)
{
	snprintf(buf, size, "--%s", e->name);
	return buf;
}

int options_word(const char *const *words, const char *word, size_t len)
{
	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == len && memcmp(words[i], word, len) == 0)
			return i;
	return -1;
}

char *options_join(const char *const *words)
{
	size_t size = 1;
	char *text, *end;

	for (size_t i = 0; words[i]; i++)
		size += strlen(words[i]) + 2;
	text = malloc(size);
	if (!text)
		return NULL;
	end = text;
	*end = '\0';
	for (size_t i = 0; words[i]; i++) {
		if (i)
			end = stpcpy(end, ", ");
		end = stpcpy(end, words[i]);
	}
	return text;
}

/* The next item of a list with commas in it; *list is then what follows, or
 * NULL after the last.  Items may be empty. */
static const char *next_item(const char **list, size_t *len)
{
	const char *item = *list;

	*len = strcspn(item, ",");
	*list = item[*len] ? item + *len + 1 : NULL;
	return item;
}

/* Grows an array by one.  NULL without memory; the array is then as before. */
static void *grown(void *array, size_t nr, size_t size)
{
	return reallocarray(array, nr + 1, size);
}

/* The process that pid belongs to: itself, another one's id when pid is a
 * thread of it, 0 when there is none. */
static uint32_t process_of(uint32_t pid)
{
	char status[1024];
	const char *line;
	unsigned int tgid;

	if (proc_read(pid, "status", status, sizeof(status)) < 0)
		return 0;
	line = strstr(status, "\nTgid:");
	if (!line || sscanf(line, "\nTgid: %u", &tgid) != 1)
		return pid;
	return tgid;
}

static bool has_pid(const struct options *o, uint32_t pid)
{
	for (size_t i = 0; i < o->nr_pids; i++)
		if (o->pids[i] == pid)
			return true;
	return false;
}

static bool add_pid(struct options *o, const char *what, uint32_t pid)
{
	uint32_t process = process_of(pid);
	uint32_t *pids;

	if (process == 0)
		return options_error(o->command, what, "there is no process %u", pid);
	if (process != pid)
		return options_error(o->command, what, "%u is a thread of process %u; name that",
				     pid, process);
	if (has_pid(o, pid))
		return true;
	pids = grown(o->pids, o->nr_pids, sizeof(*pids));
	if (!pids)
		return options_error(o->command, what, "out of memory");
	o->pids = pids;
	o->pids[o->nr_pids++] = pid;
	return true;
}

bool options_add_pids(struct options *o, const char *what, const char *list)
{
	while (list) {
		size_t len;
		const char *item = next_item(&list, &len);
		uint64_t pid;

		if (!number_whole(item, len, INT32_MAX, &pid) || pid == 0)
			return options_error(o->command, what, "\"%.*s\" is not a process id",
					     (int)len, item);
		if (!add_pid(o, what, (uint32_t)pid))
			return false;
	}
	return true;
}

static bool add_users(struct options *o, const struct option_entry *e, const char *list)
{
	while (list) {
		size_t len;
		const char *item = next_item(&list, &len);
		char *name = strndup(item, len);
		uid_t uid = 0;
		int err = name ? users_find(name, &uid) : -ENOMEM;
		uid_t *uids;

		free(name);
		if (err == -ENOENT)
			return FAIL(o, e, "there is no user \"%.*s\"", (int)len, item);
		uids = !err ? grown(o->uids, o->nr_uids, sizeof(*uids)) : NULL;
		if (!uids)
			return FAIL(o, e, "out of memory");
		o->uids = uids;
		o->uids[o->nr_uids++] = uid;
	}
	return true;
}

static bool set_regex(struct options *o, const struct option_entry *e, const char *value)
{
	char reason[256];
	int err;

	if (o->has_comm)
		regfree(&o->comm);
	free(o->comm_text);
	o->has_comm = false;
	o->comm_text = strdup(value);
	if (!o->comm_text)
		return FAIL(o, e, "out of memory");
	err = regcomp(&o->comm, value, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, &o->comm, reason, sizeof(reason));
		return FAIL(o, e, "\"%s\" is not a regular expression (%s)", value, reason);
	}
	o->has_comm = true;
	return true;
}

static bool fail_words(struct options *o, const struct option_entry *e, const char *word,
		       size_t len, const char *what)
{
	char *words = options_join(e->words);

	FAIL(o, e, "\"%.*s\" is %s (%s)", (int)len, word, what, words ? words : "out of memory");
	free(words);
	return false;
}

static bool add_events(struct options *o, const struct option_entry *e, unsigned int *events,
		       const char *list)
{
	while (list) {
		size_t len;
		const char *item = next_item(&list, &len);
		int word = options_word(e->words, item, len);

		if (word < 0)
			return fail_words(o, e, item, len, "no clock syscall");
		*events |= 1U << word;
	}
	return true;
}

static bool add_int(struct options *o, const struct option_entry *e, int **array, size_t *nr,
		    int value)
{
	int *more = grown(*array, *nr, sizeof(**array));

	if (!more)
		return FAIL(o, e, "out of memory");
	*array = more;
	(*array)[(*nr)++] = value;
	return true;
}

static bool add_cpus(struct options *o, const struct option_entry *e, const char *list)
{
	long most = sysconf(_SC_NPROCESSORS_CONF) - 1;

	if (most < 0)
		most = 0;
	while (list) {
		size_t len, first_len;
		const char *item = next_item(&list, &len);
		const char *dash = memchr(item, '-', len);
		uint64_t first, last;

		first_len = dash ? (size_t)(dash - item) : len;
		if (!number_whole(item, first_len, UINT32_MAX, &first) ||
		    !number_whole(dash ? dash + 1 : item, dash ? len - first_len - 1 : len,
				  UINT32_MAX, &last) ||
		    first > last)
			return FAIL(o, e, "\"%.*s\" is not a CPU or a range of CPUs (as in 0-3,5)",
				    (int)len, item);
		if (last > (uint64_t)most)
			return FAIL(o, e, "there is no CPU %llu (0 to %ld)",
				    (unsigned long long)last, most);
		for (uint64_t cpu = first; cpu <= last; cpu++)
			if (!add_int(o, e, &o->cpus, &o->nr_cpus, (int)cpu))
				return false;
	}
	return true;
}

static bool add_threads(struct options *o, const struct option_entry *e, const char *list)
{
	while (list) {
		size_t len;
		const char *item = next_item(&list, &len);
		uint64_t n;

		if (!number_whole(item, len, OPTION_MOST_THREADS, &n) || n < 1)
			return FAIL(o, e, "\"%.*s\" is not a number of threads (1 to %d)", (int)len,
				    item, OPTION_MOST_THREADS);
		if (!add_int(o, e, &o->bench_threads, &o->nr_bench_threads, (int)n))
			return false;
	}
	return true;
}

static bool set_seconds(struct options *o, const struct option_entry *e, double *field,
			const char *value)
{
	if (!number_decimal(value, field) || *field < e->min)
		return FAIL(o, e, "\"%s\" is not a number of seconds (%g or more)", value, e->min);
	if (*field > OPTION_MOST_SECONDS)
		return FAIL(o, e, "\"%s\" is too many seconds (%.0f or less)", value,
			    OPTION_MOST_SECONDS);
	return true;
}

static bool set_milliseconds(struct options *o, const struct option_entry *e, double *field,
			     const char *value)
{
	const uint64_t most = (uint64_t)(OPTION_MOST_SECONDS * 1e3);
	uint64_t ms;

	if (!number_whole(value, strlen(value), most, &ms) || (double)ms < e->min)
		return FAIL(o, e, "\"%s\" is not a whole number of milliseconds (%g or more)",
			    value, e->min);
	*field = (double)ms / 1e3;
	return true;
}

static bool set_count(struct options *o, const struct option_entry *e, long *field,
		      const char *value)
{
	uint64_t n;

	if (!number_whole(value, strlen(value), INT64_MAX, &n) || (double)n < e->min)
		return FAIL(o, e, "\"%s\" is not a whole number (%g or more)", value, e->min);
	*field = (long)n;
	return true;
}

static bool set_rate(struct options *o, const struct option_entry *e, double *field,
		     const char *value)
{
	if (!number_decimal(value, field))
		return FAIL(o, e, "\"%s\" is not a number of calls a second (0 or more)", value);
	return true;
}

static bool set_word(struct options *o, const struct option_entry *e, unsigned int *field,
		     const char *value)
{
	int word = options_word(e->words, value, strlen(value));

	if (word < 0)
		return fail_words(o, e, value, strlen(value), "none of the words it knows");
	*field = (unsigned int)word;
	if (e->field == offsetof(struct options, group))
		o->has_group = true;
	return true;
}

bool options_set(struct options *o, const struct option_entry *e, const char *value)
{
	void *field = (char *)o + e->field;

	switch (e->kind) {
	case OPTION_HELP:
	case OPTION_VERSION:
		return true;
	case OPTION_FLAG:
		*(bool *)field = true;
		return true;
	case OPTION_TEXT:
	case OPTION_FILE:
		if (!*value)
			return FAIL(o, e, "%s is empty", e->value);
		*(const char **)field = value;
		return true;
	case OPTION_SECONDS:
		return set_seconds(o, e, field, value);
	case OPTION_MILLISECONDS:
		return set_milliseconds(o, e, field, value);
	case OPTION_RATE:
		return set_rate(o, e, field, value);
	case OPTION_COUNT:
		return set_count(o, e, field, value);
	case OPTION_WORD:
		return set_word(o, e, field, value);
	case OPTION_EVENTS:
		return add_events(o, e, field, value);
	case OPTION_PIDS: {
		char what[40];

		return options_add_pids(o, option_name(what, sizeof(what), e), value);
	}
	case OPTION_USERS:
		return add_users(o, e, value);
	case OPTION_REGEX:
		return set_regex(o, e, value);
	case OPTION_CPUS:
		return add_cpus(o, e, value);
	case OPTION_THREADS:
		return add_threads(o, e, value);
	}
	return true;
}
