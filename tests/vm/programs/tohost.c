// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a guest speaks with the emulator it runs under.
 *
 *   tohost say   copies standard input to the file the host reads
 *   tohost exit  reads a number N, and ends the emulator; its exit status tells
 *                N from a power-off
 *
 * x86-64: the second serial port, and qemu's isa-debug-exit device at 0xf4,
 * which makes the exit status 2 N + 1.  arm64: semihosting with
 * userspace=on; the exit status is made the same.
 * Source: hw/misc/debugexit.c; "Semihosting for AArch32 and AArch64", 2.0.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <sys/io.h>

#define EXIT_PORT 0xf4
#define SAY_DEVICE "/dev/ttyS1"

static int say(const char *text, size_t length)
{
	static int fd = -1;

	if (fd < 0)
		fd = open(SAY_DEVICE, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	while (length) {
		ssize_t n = write(fd, text, length);

		if (n <= 0)
			return -1;
		text += n;
		length -= (size_t)n;
	}
	return 0;
}

/* A kernel that is locked down gives this away no more. */
static int prepare(void)
{
	return ioperm(EXIT_PORT, 4, 1);
}

static void leave(int code)
{
	outl((unsigned int)code, EXIT_PORT);
}

#elif defined(__aarch64__)

#define SYS_WRITE0 0x04L
#define SYS_EXIT_EXTENDED 0x20L
#define APPLICATION_EXIT 0x20026L

static long semihosting(long operation, const void *parameter)
{
	register long x0 __asm__("x0") = operation;
	register const void *x1 __asm__("x1") = parameter;

	__asm__ volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
	return x0;
}

/* Text is NUL-terminated. */
static int say(const char *text, size_t length)
{
	(void)length;
	semihosting(SYS_WRITE0, text);
	return 0;
}

static int prepare(void)
{
	return 0;
}

static void leave(int code)
{
	const long block[2] = {APPLICATION_EXIT, 2L * code + 1};

	semihosting(SYS_EXIT_EXTENDED, block);
}

#else
#error "how does this machine speak with its host?"
#endif

int main(int argc, char **argv)
{
	char text[4096];
	size_t n;

	if (argc == 2 && !strcmp(argv[1], "say")) {
		while ((n = fread(text, 1, sizeof(text) - 1, stdin)) > 0) {
			text[n] = '\0';
			if (say(text, n)) {
				perror("tohost: say");
				return 1;
			}
		}
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "exit")) {
		if (prepare()) {
			perror("tohost: exit");
			return 1;
		}
		if (fgets(text, sizeof(text), stdin))
			leave(atoi(text));
		return 1;
	}
	fputs("usage: tohost say | exit\n", stderr);
	return 2;
}
