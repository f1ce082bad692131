/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads one option's value into its field of struct options. */
#ifndef CLOCKTOP_OPTIONS_VALUE_H
#define CLOCKTOP_OPTIONS_VALUE_H

#include "options_table.h"

/* What every usage error ends with: names the option or word (`what`), says
 * what is wrong with it, and points to the command's --help.  Always returns
 * false. */
bool options_error(enum command command, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts the value into o (e->kind says how; value is NULL for a flag).  Lists
 * grow with each call.  false after one line on standard error. */
bool options_set(struct options *o, const struct option_entry *e, const char *value);

/* Adds the ids of a list "PID[,PID...]" to o->pids; `what` is how an error
 * names it.  false after one line on standard error. */
bool options_add_pids(struct options *o, const char *what, const char *list);

/* The index of `word` in a NULL-terminated list, or -1. */
int options_word(const char *const *words, const char *word, size_t len);

/* "rate, total, cpu" of such a list; to be freed; NULL without memory. */
char *options_join(const char *const *words);

#endif
