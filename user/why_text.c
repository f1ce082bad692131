// SPDX-License-Identifier: GPL-2.0-only
#include "why.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "lines.h"
#include "proc.h"
#include "text.h"
#include "why_calls.h"

#define LEAST_WIDTH 40
#define HANG 13 /* where the text behind "cause", "evidence", "remedy" begins */

static struct lines lines_of(FILE *out, const struct why_context *c)
{
	return (struct lines){
	    .out = out,
	    .width = c->width < LEAST_WIDTH ? LEAST_WIDTH : c->width,
	    .colour = c->colour,
	};
}

static void no_memory(FILE *out)
{
	fprintf(out, "%s\n", strerror(ENOMEM));
}

static void add_safe(struct buffer *b, const char *bytes, bool utf8)
{
	size_t len = strlen(bytes);
	char *room = buffer_reserve(b, TEXT_SAFE_SIZE(len));

	if (room)
		b->len += text_safe(room, TEXT_SAFE_SIZE(len), bytes, len, utf8);
}

/* "1,390,979/s", "0.4/s" */
static void add_rate(struct buffer *b, double rate)
{
	char count[TEXT_NUMBER];

	if (rate < 9.95)
		buffer_format(b, "%.1f/s", rate);
	else
		buffer_format(b, "%s/s", text_count(count, sizeof(count), (uint64_t)(rate + 0.5)));
}

static void add_cpu(struct buffer *b, double cpu)
{
	if (cpu < 0.01)
		buffer_text(b, "less than 0.01 CPU");
	else
		buffer_format(b, "about %.2f CPU", cpu);
}

/* Cause, evidence and remedy of one advice. */
static void print_advice(const struct lines *l, const char *cause, const struct advice *a)
{
	struct buffer text = {0};

	if (cause)
		buffer_format(&text, "%s: ", cause);
	buffer_text(&text, buffer_string(&a->cause));
	lines_paragraph(l, 4, "cause", HANG, LINES_PLAIN, buffer_string(&text));
	lines_paragraph(l, 4, "evidence", HANG, LINES_PLAIN, buffer_string(&a->evidence));
	lines_paragraph(l, 4, "remedy", HANG, LINES_GOOD, buffer_string(&a->remedy));
	buffer_free(&text);
}

/* The state of one kind of call, in a word. */
static const char *served_word(const struct served *s, enum call call, int32_t clock)
{
	if (!clock_can_be_served(call, clock))
		return "never";
	switch (served_state(s, call, clock)) {
	case SERVED_YES:
		return "yes";
	case SERVED_NO:
		return "no";
	case SERVED_UNKNOWN:
		break;
	}
	return "?";
}

static void print_cost(const struct lines *l, const char *name, const char *served, double vdso,
		       double syscall)
{
	char in_vdso[16] = "-", in_kernel[16] = "-";

	if (strcmp(served, "yes") == 0 && !isnan(vdso))
		snprintf(in_vdso, sizeof(in_vdso), "%.0f", vdso);
	if (!isnan(syscall))
		snprintf(in_kernel, sizeof(in_kernel), "%.0f", syscall);
	fprintf(l->out, "  %-18.18s %-6s %5s %6s\n", name, served, in_vdso, in_kernel);
}

/* Each clock that the kernel knows: whether it is served, and what a read costs. */
static void print_costs(const struct lines *l, const struct why_context *c)
{
	char name[CLOCK_NAME];

	fprintf(l->out, "  %-18s %-6s %5s %6s\n", "ns a read", "served", "vDSO", "kernel");
	for (int32_t clock = 0; clock < NR_CLOCKS; clock++) {
		if (!c->served->exists[clock])
			continue;
		print_cost(l, clock_short_name(name, sizeof(name), CALL_CLOCK_GETTIME, clock),
			   served_word(c->served, CALL_CLOCK_GETTIME, clock),
			   c->cost->vdso_gettime[clock], c->cost->syscall_gettime[clock]);
	}
	print_cost(l, "gettimeofday", served_word(c->served, CALL_GETTIMEOFDAY, 0),
		   c->cost->vdso_gettimeofday, c->cost->syscall_gettimeofday);
	if (abi_number(abi_host(), CALL_TIME) >= 0)
		print_cost(l, "time", served_word(c->served, CALL_TIME, 0), c->cost->vdso_time,
			   c->cost->syscall_time);
}

/* "tsc, hpet, acpi_pm" from "tsc hpet acpi_pm" */
static void add_list(struct buffer *b, const char *words)
{
	for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
		size_t len = strcspn(words, " ");

		buffer_add(b, words, len);
		words += len;
		if (words[strspn(words, " ")])
			buffer_text(b, ", ");
	}
}

static void print_host_line(const struct lines *l, const struct why_context *c)
{
	struct buffer text = {0};

	buffer_text(&text, "Host ");
	add_safe(&text, c->host->name, c->utf8);
	buffer_format(&text, ", Linux %s", c->host->release);
	if (c->host->hypervisor[0])
		buffer_format(&text, ", %s guest", c->host->hypervisor);
	buffer_format(&text, ", %d CPU%s", c->host->cpus, c->host->cpus == 1 ? "" : "s");
	lines_paragraph(l, 0, "", 0, LINES_BOLD, buffer_string(&text));
	buffer_free(&text);
}

static void print_clocksource(const struct lines *l, const struct why_context *c)
{
	struct buffer text = {0};

	buffer_format(&text, "%s; available ",
		      c->host->clocksource[0] ? c->host->clocksource : "not known");
	add_list(&text, c->host->available[0] ? c->host->available : "none");
	if (c->host->cmdline[0]) {
		buffer_text(&text, "; boot parameters: ");
		add_safe(&text, c->host->cmdline, c->utf8);
	}
	lines_paragraph(l, 2, "clocksource", 4, LINES_PLAIN, buffer_string(&text));
	buffer_free(&text);
}

static void print_names(const struct lines *l, const char *label, const struct health_calls *calls)
{
	char names[HEALTH_NAMES];

	health_names(names, sizeof(names), calls);
	lines_paragraph(l, 2, label, 4, LINES_PLAIN, names);
}

void why_host(FILE *out, const struct why_context *c)
{
	struct lines l = lines_of(out, c);
	struct advice advice = {0};
	struct advice_gain gain;
	struct health h;

	health_of_host(c->served, &h);
	gain = why_gain(c, &h);
	print_host_line(&l, c);
	print_clocksource(&l, c);
	print_names(&l, "served in user space now:", &h.served);
	print_names(&l, "not served:", &h.unserved);
	print_names(&l, "not served on any clocksource by this kernel:", &h.lacking);
	print_costs(&l, c);
	advice_host(&advice, c->host, &h, &gain, evidences_refused(c->evidences));
	if (advice.cause.failed || advice.evidence.failed || advice.remedy.failed)
		no_memory(out);
	else if (!health_is_good(&h))
		print_advice(&l, cause_name(h.cause), &advice);
	advice_free(&advice);
}

static void add_name(struct buffer *b, const struct why_context *c, const char *comm,
		     struct proc_id proc)
{
	char name[TASK_COMM + 1] = "";

	memcpy(name, comm, strnlen(comm, TASK_COMM));
	add_safe(b, name, c->utf8);
	buffer_format(b, "%spid %u", name[0] ? ", " : "", proc.pid);
}

/* What the process is, and its sum. */
static void print_process(const struct lines *l, const struct why_context *c,
			  const struct why_calls *w)
{
	const struct record *r = &w->calls[0].r;
	const struct finding *f = &w->calls[0].f;
	struct buffer text = {0};

	add_name(&text, c, r->comm, r->proc);
	buffer_text(&text, ", user ");
	add_safe(&text, users_name(c->users, r->uid), c->utf8);
	if (r->container[0])
		buffer_format(&text, ", container %s", r->container);
	if (f->ended)
		buffer_text(&text, ", ended");
	buffer_text(&text, ": ");
	if (w->rate < 9.95)
		buffer_format(&text, "%.1f", w->rate);
	else {
		char count[TEXT_NUMBER];

		text_count(count, sizeof(count), (uint64_t)(w->rate + 0.5));
		buffer_text(&text, count);
	}
	buffer_text(&text, " clock syscalls/s, ");
	add_cpu(&text, w->cpu);
	if (w->cpu_open)
		buffer_text(&text, " and calls whose cost is not known");
	lines_paragraph(l, 0, "", 0, LINES_BOLD, buffer_string(&text));
	buffer_clear(&text);
	if (f->exe[0]) {
		add_safe(&text, f->exe, c->utf8);
		lines_paragraph(l, 2, "program", 10, LINES_PLAIN, buffer_string(&text));
	}
	buffer_free(&text);
}

/* "clock_gettime MONOTONIC (i386)" */
static void add_call_name(struct buffer *b, const struct record *r)
{
	char clock[CLOCK_NAME];

	clock_short_name(clock, sizeof(clock), r->call, r->clock);
	buffer_format(b, "%s%s%s", call_name(r->call), clock[0] ? " " : "", clock);
	if (r->abi != abi_host())
		buffer_format(b, " (%s)", abi_name(r->abi));
}

static void add_via(struct buffer *b, const struct why_context *c, const struct record *r)
{
	switch (r->via) {
	case VIA_VDSO:
		buffer_text(b, "from the vDSO");
		break;
	case VIA_VSYSCALL:
		buffer_text(b, "vsyscall page");
		break;
	default:
		buffer_text(b, "direct");
		if (r->object && r->object[0]) {
			buffer_text(b, ", from ");
			add_safe(b, r->object, c->utf8);
		}
	}
}

/* Pads what was added since `from` to a width. */
static void pad_to(struct buffer *b, size_t from, size_t width)
{
	size_t have = text_width(buffer_string(b) + from);

	while (have++ < width)
		buffer_char(b, ' ');
}

static void print_call(const struct lines *l, const struct why_context *c,
		       const struct why_call *call, size_t name_width, size_t rate_width)
{
	struct buffer text = {0}, rate = {0};
	size_t from;

	add_call_name(&text, &call->r);
	pad_to(&text, 0, name_width);
	add_rate(&rate, call->rate);
	for (size_t i = rate.len; i < rate_width; i++)
		buffer_char(&text, ' ');
	buffer_format(&text, "  %s  ", buffer_string(&rate));
	from = text.len;
	add_via(&text, c, &call->r);
	pad_to(&text, from, strlen("from the vDSO"));
	buffer_format(&text, "  %s%s", cause_name(call->f.verdict.cause),
		      call->of_host ? " (see host)" : "");
	lines_paragraph(l, 2, "", 2, LINES_BAD, buffer_string(&text));
	buffer_free(&text);
	buffer_free(&rate);
}

static void print_calls(const struct lines *l, const struct why_context *c,
			const struct why_calls *w)
{
	size_t name_width = 0, rate_width = 0;
	struct buffer text = {0};

	for (size_t i = 0; i < w->nr; i++) {
		buffer_clear(&text);
		add_call_name(&text, &w->calls[i].r);
		if (text.len > name_width)
			name_width = text.len;
		buffer_clear(&text);
		add_rate(&text, w->calls[i].rate);
		if (text.len > rate_width)
			rate_width = text.len;
	}
	buffer_free(&text);
	for (size_t i = 0; i < w->nr; i++) {
		const struct why_call *call = &w->calls[i];

		print_call(l, c, call, name_width, rate_width);
		/* Those of one advice stand together: it follows the last. */
		if (!call->of_host && (i + 1 == w->nr || call[1].of_host ||
				       call[1].f.verdict.cause != call->f.verdict.cause ||
				       !advice_equal(&call->advice, &call[1].advice)))
			print_advice(l, NULL, &call->advice);
	}
}

static void print_gain(const struct lines *l, const struct why_calls *w)
{
	struct buffer text = {0};

	if (!w->gain.calls)
		return;
	buffer_text(&text, "With the host's remedy ");
	if (isnan(w->gain.cpu))
		buffer_text(&text, "most of that");
	else
		add_cpu(&text, w->gain.cpu);
	buffer_text(&text, " of this process goes away.");
	lines_paragraph(l, 2, "", 2, LINES_GOOD, buffer_string(&text));
	buffer_free(&text);
}

/* Why a process has no clock syscalls. */
static void print_none(const struct lines *l, const struct why_context *c, struct proc_id proc)
{
	struct buffer text = {0};
	char comm[64];
	struct finding f;

	evidences_look(c->evidences, proc, &f);
	if (proc_read(proc.pid, "comm", comm, sizeof(comm)) < 0)
		comm[0] = '\0';
	comm[strcspn(comm, "\n")] = '\0';
	add_name(&text, c, comm, proc);
	buffer_format(&text, ": no clock syscalls in %.1f s. ", c->interval->seconds);
	if (proc_is_kernel_thread(proc.pid))
		buffer_text(&text, "It is a thread of the kernel, which makes none.");
	else if (f.ended)
		buffer_text(&text, "It ended.");
	else if (f.vdso == WHERE_VDSO_NONE || f.vdso == WHERE_VDSO_UNMAPPED)
		buffer_text(&text, "It did not read the clock: no vDSO is mapped in it that could "
				   "serve a read.");
	else if (f.evidence.vdso_genuine == FACT_YES)
		buffer_text(&text, "Its clock reads, if any, are served by the vDSO, which is "
				   "mapped in it and the kernel's.");
	else
		buffer_text(&text, "Its clock reads, if any, are served by the vDSO.");
	lines_paragraph(l, 0, "", 0, LINES_PLAIN, buffer_string(&text));
	buffer_free(&text);
}

void why_process(FILE *out, const struct why_context *c, struct proc_id proc)
{
	struct lines l = lines_of(out, c);
	struct why_calls w;
	struct health h;

	health_of_host(c->served, &h);
	if (why_calls_gather(&w, c, &h, proc)) {
		no_memory(out);
	} else if (!w.nr) {
		print_none(&l, c, proc);
	} else {
		print_process(&l, c, &w);
		print_calls(&l, c, &w);
		print_gain(&l, &w);
	}
	why_calls_free(&w);
}
