/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes, to standard output, what is made from the tables of options,
 * columns and causes: the manual page and the shells' completions. */
#ifndef CLOCKTOP_GENERATE_H
#define CLOCKTOP_GENERATE_H

#include "options_table.h"

/* The page, from a template in which
 *   @VERSION@   is the program's version
 *   @SYNOPSIS@  the commands with what may follow them
 *   @OPTIONS@   the options, under a heading for those that the same commands have
 *   @RECORDS@   the columns of a record
 *   @CAUSES@    the causes, with meaning and remedy
 * 0, or -1 after a line on standard error. */
int generate_man(const char *template_path);

void generate_bash(void);
void generate_zsh(void);
void generate_fish(void);

/* Calls do_option for each option that the command has. */
typedef void (*option_fn)(const struct option_entry *e, enum command command);
void each_option(enum command command, option_fn do_option);

/* Prints the words with `between` between them. */
void print_words(const char *const *words, const char *between);

#endif
