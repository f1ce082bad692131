// SPDX-License-Identifier: GPL-2.0-only
/* `check`: says the verdicts that health.c comes to, for scripts to act on. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "commands.h"
#include "health.h"
#include "message.h"
#include "reading.h"
#include "session.h"
#include "signals.h"
#include "text.h"

#define SECOND 1000000000ULL

/* Boot parameters stand in a line of their own where they explain something. */
static void print_boot_parameters(const struct host *host)
{
	if (host->cmdline[0])
		printf("  boot parameters: %s\n", host->cmdline);
}

/* What is wrong with the clocksource, and which others there are. */
static void print_clocksource(const struct host *host, const char *names)
{
	char able[sizeof(host->available)], maybe[sizeof(host->available)];

	printf("not healthy: clocksource %s serves none of %s in user space\n",
	       host->clocksource[0] ? host->clocksource : "(unknown)", names);
	health_clocksources(able, sizeof(able), host, HOST_ABLE_YES);
	health_clocksources(maybe, sizeof(maybe), host, HOST_ABLE_MAYBE);
	if (able[0])
		printf("  available and able: %s\n", able);
	if (maybe[0])
		printf("  available and able if the hypervisor lets it: %s\n", maybe);
	if (!able[0] && !maybe[0])
		printf("  none of those available is able: %s\n", host->available);
	print_boot_parameters(host);
}

static void print_no_vdso(const struct host *host, const char *names)
{
	char value[32];

	printf("not healthy: no-vdso: programs get no vDSO here, so none of %s is served in user "
	       "space\n",
	       names);
	if (host_boot_parameter(host, "vdso", value, sizeof(value)))
		print_boot_parameters(host);
	else
		printf(
		    "  the kernel was not booted with vdso=0: the tool that this runs under hides "
		    "it\n");
}

/* What this host's vDSO does.  In a verdict on processes it is a remark. */
static void print_host(const struct host *host, const struct health *h)
{
	char names[HEALTH_NAMES];

	health_names(names, sizeof(names), health_is_good(h) ? &h->served : &h->unserved);
	if (health_is_good(h))
		printf("healthy: the vDSO serves %s (clocksource %s)\n", names, host->clocksource);
	else if (h->cause == CAUSE_NO_VDSO)
		print_no_vdso(host, names);
	else
		print_clocksource(host, names);
	if (h->lacking.nr)
		printf("  clock-id: this kernel's vDSO serves %s on no clocksource\n",
		       health_names(names, sizeof(names), &h->lacking));
}

/* "java, pid 4711: 1,390,979 clock syscalls/s" */
static void print_process(const struct health_process *p, double seconds)
{
	char comm[4 * TASK_COMM * 4], rate[32];

	text_safe(comm, sizeof(comm), p->comm, strnlen(p->comm, sizeof(p->comm)), text_utf8());
	printf("%s, pid %u: %s clock syscalls/s", comm, p->proc.pid,
	       text_count(rate, sizeof(rate), (uint64_t)((double)p->count / seconds + 0.5)));
}

/* Prints the verdict on the processes.  Returns the exit status. */
static int print_processes(struct health_sum *sum, double max_rate, struct users *users)
{
	struct health_process *over, busiest;
	char clock[CLOCK_NAME], user[256], rate[32];
	size_t nr;

	if (health_over(sum, max_rate, &over, &nr, &busiest) != 0) {
		message("%s", strerror(ENOMEM));
		return STATUS_CANNOT;
	}
	for (size_t i = 0; i < nr; i++) {
		const struct health_process *p = &over[i];
		const char *name = users_name(users, p->uid);
		printf("not healthy: ");
		print_process(p, sum->seconds);
		text_safe(user, sizeof(user), name, strlen(name), text_utf8());
		clock_short_name(clock, sizeof(clock), p->call, p->clock);
		printf(", user %s, mostly %s%s%s, cause %s\n", user, call_name(p->call),
		       clock[0] ? " " : "", clock, cause_name(p->cause));
	}
	free(over);
	if (nr)
		return STATUS_INCOMPLETE;
	if (max_rate == floor(max_rate) && max_rate < 1e15)
		text_count(rate, sizeof(rate), (uint64_t)max_rate);
	else
		snprintf(rate, sizeof(rate), "%g", max_rate);
	printf("healthy: no process made more than %s clock syscalls/s in %.1f s", rate,
	       sum->seconds);
	if (busiest.count) {
		printf(" (busiest: ");
		print_process(&busiest, sum->seconds);
		printf(")");
	}
	printf("\n");
	return STATUS_OK;
}

/* Takes intervals of a second, so that causes are looked for while the callers
 * live, until the time is over or a signal ends it early.  0 or -errno. */
static int measure(struct session *s, double duration, struct health_sum *sum)
{
	uint64_t end = reading_now() + (uint64_t)(duration * SECOND);
	int said = 0, error;

	while (said == 0) {
		uint64_t now = reading_now();
		if (now >= end)
			break;
		uint64_t next = end - now > SECOND + SECOND / 2 ? now + SECOND : end;
		said = session_wait(s, next, -1);
		error = session_step(s);
		if (!error)
			error = health_add(sum, &s->shown);
		if (error)
			return error;
	}
	if (said)
		signals_hurry();
	return 0;
}

static int check_rates(const struct options *o)
{
	struct session s;
	struct health_sum sum = {0};
	struct health host;
	int error = signals_open();

	if (error) {
		message("signals: %s", strerror(-error));
		return STATUS_CANNOT;
	}
	int status = session_open(&s, o, 0);
	if (status == STATUS_OK) {
		error = measure(&s, o->duration, &sum);
		if (error) {
			message("cannot measure: %s", strerror(-error));
			status = STATUS_CANNOT;
		}
	}
	signals_writing(STDOUT_FILENO, false);
	if (status == STATUS_OK) {
		status = print_processes(&sum, o->max_rate, s.users);
		health_of_host(&s.served, &host);
		if (status == STATUS_INCOMPLETE && !health_is_good(&host))
			print_host(&s.host, &host);
	}
	fflush(stdout); /* what fails is said at the end */
	if (signals_written()) {
		message("standard output: %s", signals_error(EINTR));
		status = status ? status : STATUS_INCOMPLETE;
	}
	int closed = session_close(&s);
	health_sum_free(&sum);
	signals_close();
	return status ? status : closed;
}

static int check_host(void)
{
	struct host host;
	struct served served;
	struct health h;
	int error = served_ask(&served);

	if (error) {
		message(
		    "cannot ask the vDSO what it serves: the kernel refused a seccomp filter (%s)",
		    strerror(-error));
		return STATUS_CANNOT;
	}
	host_read(&host);
	health_of_host(&served, &h);
	print_host(&host, &h);
	return health_is_good(&h) ? STATUS_OK : STATUS_INCOMPLETE;
}

int command_check(const struct options *o)
{
	int status = o->has_max_rate ? check_rates(o) : check_host();

	if (fflush(stdout) != 0 && errno != EPIPE) {
		message("standard output: %s", strerror(errno));
		return STATUS_INCOMPLETE;
	}
	return status;
}
