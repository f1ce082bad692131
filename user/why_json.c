// SPDX-License-Identifier: GPL-2.0-only
#include "why_json.h"

#include <math.h>
#include <string.h>

#include "abi.h"
#include "columns.h"
#include "json.h"
#include "proc.h"
#include "why_calls.h"

/* The lines of text that are commands, or those that are not. */
static void add_lines(struct json *j, const char *key, const char *text, bool commands)
{
	json_array(j, key);
	while (*text) {
		size_t len = strcspn(text, "\n");
		bool command = strncmp(text, ADVICE_COMMAND, strlen(ADVICE_COMMAND)) == 0;
		size_t skip = command ? strlen(ADVICE_COMMAND) : 0;

		if (command == commands)
			json_bytes(j, NULL, text + skip, len - skip);
		text += len + (text[len] == '\n');
	}
	json_array_end(j);
}

static void add_advice(struct json *j, const struct advice *a)
{
	add_lines(j, "explanation", buffer_string(&a->cause), false);
	add_lines(j, "evidence", buffer_string(&a->evidence), false);
	add_lines(j, "remedy", buffer_string(&a->remedy), false);
	add_lines(j, "commands", buffer_string(&a->remedy), true);
}

static void add_words(struct json *j, const char *key, const char *words)
{
	json_array(j, key);
	for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
		size_t len = strcspn(words, " ");

		json_bytes(j, NULL, words, len);
		words += len;
	}
	json_array_end(j);
}

/* When the interval ended, and how long it was: as records say it. */
static void add_interval(struct json *j, const struct why_context *c)
{
	struct row_source row = {.interval = c->interval};
	struct buffer time = {0};

	for (size_t i = 0; i < nr_columns; i++)
		if (strcmp(columns[i].name, "time") == 0)
			columns[i].print(&time, &row);
	json_text(j, "time", buffer_string(&time));
	json_double(j, "interval_s", c->interval->seconds, 9);
	if (time.failed)
		j->out->failed = true;
	buffer_free(&time);
}

static void add_fact(struct json *j, const char *key, enum fact fact)
{
	if (fact == FACT_UNKNOWN)
		json_null(j, key);
	else
		json_bool(j, key, fact == FACT_YES);
}

static void add_clock(struct json *j, const struct why_context *c, enum call call, int32_t clock,
		      double vdso, double syscall)
{
	char name[CLOCK_NAME];
	enum served_state state = served_state(c->served, call, clock);

	json_object(j, NULL);
	json_text(j, "syscall", call_name(call));
	json_text(j, "clock", clock_name(name, sizeof(name), call, clock));
	json_bool(j, "can_be_served", clock_can_be_served(call, clock));
	add_fact(j, "served",
		 state == SERVED_UNKNOWN ? FACT_UNKNOWN
		 : state == SERVED_YES	 ? FACT_YES
					 : FACT_NO);
	json_double(j, "vdso_ns", state == SERVED_YES ? vdso : NAN, 1);
	json_double(j, "syscall_ns", syscall, 1);
	json_object_end(j);
}

static void add_clocks(struct json *j, const struct why_context *c)
{
	json_array(j, "clocks");
	for (int32_t clock = 0; clock < NR_CLOCKS; clock++)
		if (c->served->exists[clock])
			add_clock(j, c, CALL_CLOCK_GETTIME, clock, c->cost->vdso_gettime[clock],
				  c->cost->syscall_gettime[clock]);
	add_clock(j, c, CALL_GETTIMEOFDAY, 0, c->cost->vdso_gettimeofday,
		  c->cost->syscall_gettimeofday);
	if (abi_number(abi_host(), CALL_TIME) >= 0)
		add_clock(j, c, CALL_TIME, 0, c->cost->vdso_time, c->cost->syscall_time);
	json_array_end(j);
}

static void add_gain(struct json *j, const struct advice_gain *gain)
{
	json_uint(j, "remedy_calls_per_s", gain->calls);
	json_double(j, "remedy_cpu", gain->cpu, 6);
}

void why_json_host(struct buffer *out, const struct why_context *c)
{
	const struct host *host = c->host;
	struct json j = {.out = out};
	struct advice advice = {0};
	struct advice_gain gain;
	struct health h;

	health_of_host(c->served, &h);
	gain = why_gain(c, &h);
	advice_host(&advice, host, &h, &gain, evidences_refused(c->evidences));
	json_object(&j, NULL);
	json_text(&j, "kind", "host");
	add_interval(&j, c);
	json_text(&j, "host", host->name);
	json_text(&j, "kernel", host->release);
	json_text(&j, "machine", host->machine);
	json_text(&j, "hypervisor", host->hypervisor);
	json_int(&j, "cpus", host->cpus);
	json_text(&j, "clocksource", host->clocksource);
	add_words(&j, "available", host->available);
	add_words(&j, "boot_parameters", host->cmdline);
	json_bool(&j, "vdso", c->served->has_vdso);
	add_clocks(&j, c);
	json_text(&j, "cause", health_is_good(&h) ? "" : cause_name(h.cause));
	add_advice(&j, &advice);
	add_gain(&j, &gain);
	json_object_end(&j);
	json_line_end(&j);
	out->failed |= advice.cause.failed || advice.evidence.failed || advice.remedy.failed;
	advice_free(&advice);
}

static void add_call(struct json *j, const struct why_call *call)
{
	const struct record *r = &call->r;
	const struct finding *f = &call->f;
	char clock[CLOCK_NAME];

	json_object(j, NULL);
	json_text(j, "syscall", call_name(r->call));
	json_text(j, "abi", abi_name(r->abi));
	json_text(j, "clock", clock_name(clock, sizeof(clock), r->call, r->clock));
	json_text(j, "via", via_name(r->via));
	json_text(j, "object", r->object ? r->object : "");
	json_text(j, "path", f->site.path);
	json_text(j, "symbol", f->site.symbol);
	json_uint(j, "count", r->calls.count);
	json_uint(j, "errors", r->calls.errors);
	json_double(j, "rate", call->rate, 3);
	json_double(j, "cpu", call->cpu, 6);
	json_text(j, "cause", cause_name(f->verdict.cause));
	json_bool(j, "of_host", call->of_host);
	add_advice(j, &call->advice);
	json_object_end(j);
}

/* What a look at the process found. */
static void add_finding(struct json *j, const struct finding *f)
{
	json_bool(j, "ended", f->ended);
	json_text(j, "program", f->exe);
	json_bool(j, "looked_at", f->looked);
	add_fact(j, "vdso_mapped", f->evidence.vdso_mapped);
	add_fact(j, "vdso_genuine", f->evidence.vdso_genuine);
	add_fact(j, "seccomp", f->evidence.seccomp);
	json_uint(j, "tracer", f->tracer);
	json_text(j, "tool", f->tool ? f->tool : "");
}

static void add_comm(struct json *j, const struct why_calls *w, struct proc_id proc)
{
	char comm[64];

	if (w->nr) {
		const char *name = w->calls[0].r.comm;

		json_bytes(j, "comm", name, strnlen(name, TASK_COMM));
		return;
	}
	if (proc_read(proc.pid, "comm", comm, sizeof(comm)) < 0)
		comm[0] = '\0';
	json_bytes(j, "comm", comm, strcspn(comm, "\n"));
}

void why_json_process(struct buffer *out, const struct why_context *c, struct proc_id proc)
{
	struct json j = {.out = out};
	struct why_calls w;
	struct finding none;
	struct health h;

	health_of_host(c->served, &h);
	if (why_calls_gather(&w, c, &h, proc))
		out->failed = true;
	if (!w.nr)
		evidences_look(c->evidences, proc, &none);
	json_object(&j, NULL);
	json_text(&j, "kind", "process");
	add_interval(&j, c);
	json_uint(&j, "pid", proc.pid);
	json_uint(&j, "start_ns", proc.start_ns);
	add_comm(&j, &w, proc);
	if (w.nr) {
		json_text(&j, "user", users_name(c->users, w.calls[0].r.uid));
		json_text(&j, "container", w.calls[0].r.container);
	}
	add_finding(&j, w.nr ? &w.calls[0].f : &none);
	json_double(&j, "rate", w.rate, 3);
	json_double(&j, "cpu", w.cpu_open ? NAN : w.cpu, 6);
	json_array(&j, "calls");
	for (size_t i = 0; i < w.nr; i++)
		add_call(&j, &w.calls[i]);
	json_array_end(&j);
	add_gain(&j, &w.gain);
	json_object_end(&j);
	json_line_end(&j);
	why_calls_free(&w);
}
