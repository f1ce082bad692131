// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaches one of the programs to compare with, until its input ends.
 *
 *   tracer empty|count
 *
 * Prints "ready" when it is attached; count prints at the end how many
 * syscalls it saw.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tracer.skel.h"

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";
	unsigned long long syscalls = 0;
	char byte;

	if (strcmp(what, "empty") != 0 && strcmp(what, "count") != 0)
		errx(2, "usage: tracer empty|count");
	struct tracer_bpf *bpf = tracer_bpf__open();
	if (!bpf)
		err(1, "open");
	bpf_program__set_autoload(bpf->progs.empty, strcmp(what, "empty") == 0);
	bpf_program__set_autoload(bpf->progs.count, strcmp(what, "count") == 0);
	if (tracer_bpf__load(bpf) != 0 || tracer_bpf__attach(bpf) != 0)
		err(1, "load");
	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	if (strcmp(what, "count") == 0) {
		for (size_t i = 0; i < sizeof(bpf->bss->lines) / sizeof(bpf->bss->lines[0]); i++)
			syscalls += bpf->bss->lines[i];
		printf("%llu syscalls\n", syscalls);
	}
	tracer_bpf__destroy(bpf);
	return 0;
}
