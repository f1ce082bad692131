// SPDX-License-Identifier: GPL-2.0-only
#include "generate.h"

#include <stdio.h>
#include <string.h>

void each_option(enum command command, option_fn do_option)
{
	for (size_t i = 0; i < nr_options; i++)
		if (option_has(&option_table[i], command))
			do_option(&option_table[i], command);
}

void print_words(const char *const *words, const char *between)
{
	for (size_t i = 0; words[i]; i++)
		printf("%s%s", i ? between : "", words[i]);
}

int main(int argc, char **argv)
{
	int failed = 0;

	if (argc == 3 && strcmp(argv[1], "man") == 0) {
		failed = generate_man(argv[2]);
	} else if (argc == 2 && strcmp(argv[1], "bash") == 0) {
		generate_bash();
	} else if (argc == 2 && strcmp(argv[1], "zsh") == 0) {
		generate_zsh();
	} else if (argc == 2 && strcmp(argv[1], "fish") == 0) {
		generate_fish();
	} else {
		fprintf(stderr, "usage: generate man TEMPLATE | bash | zsh | fish\n");
		return 2;
	}
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("generate: standard output");
		failed = 1;
	}
	return failed ? 1 : 0;
}
