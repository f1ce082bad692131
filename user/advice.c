// SPDX-License-Identifier: GPL-2.0-only
#include "advice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "text.h"

#define REALTIME_ALARM 8
#define BOOTTIME_ALARM 9
#define AUX_FIRST 16
#define AUX_LAST 23

/* What is worded, and where to. */
struct wording {
	struct advice *a;
	const struct finding *f;
	const struct record *r;
	const struct host *host;
	bool utf8;
	char clock[CLOCK_NAME];
};

void advice_clear(struct advice *a)
{
	buffer_clear(&a->cause);
	buffer_clear(&a->evidence);
	buffer_clear(&a->remedy);
}

void advice_free(struct advice *a)
{
	buffer_free(&a->cause);
	buffer_free(&a->evidence);
	buffer_free(&a->remedy);
}

bool advice_equal(const struct advice *a, const struct advice *b)
{
	return strcmp(buffer_string(&a->cause), buffer_string(&b->cause)) == 0 &&
	       strcmp(buffer_string(&a->evidence), buffer_string(&b->evidence)) == 0 &&
	       strcmp(buffer_string(&a->remedy), buffer_string(&b->remedy)) == 0;
}

/* Foreign bytes. */
static void add_foreign(struct buffer *b, const char *bytes, bool utf8)
{
	size_t len = strlen(bytes);
	char *room = buffer_reserve(b, TEXT_SAFE_SIZE(len));

	if (room)
		b->len += text_safe(room, TEXT_SAFE_SIZE(len), bytes, len, utf8);
}

/* Which kind of negative id it is. */
static bool is_fd(const struct record *r)
{
	return r->clock < 0 && ((uint32_t)r->clock & 7) == 3;
}

static bool is_aux(const struct record *r)
{
	return call_has_clock(r->call) && r->clock >= AUX_FIRST && r->clock <= AUX_LAST;
}

static bool is_alarm(const struct record *r)
{
	return call_has_clock(r->call) &&
	       (r->clock == REALTIME_ALARM || r->clock == BOOTTIME_ALARM);
}

static const char *without_alarm(const struct record *r)
{
	return r->clock == REALTIME_ALARM ? "CLOCK_REALTIME" : "CLOCK_BOOTTIME";
}

/* How the calls ended, when they did not end well. */
static void add_answers(const struct wording *w)
{
	const struct tally *t = &w->r->calls;
	struct buffer *b = &w->a->evidence;
	const char *name;

	if (!t->errors)
		return;
	buffer_format(b, "%" PRIu64 " of %" PRIu64 " calls failed:", t->errors, t->count);
	if (t->einval)
		buffer_format(b, " %" PRIu64 " EINVAL", t->einval);
	if (t->efault)
		buffer_format(b, "%s %" PRIu64 " EFAULT (bad pointer)", t->einval ? "," : "",
			      t->efault);
	if (t->rolled_back)
		buffer_format(b, "%s %" PRIu64 " rolled back by seccomp (trap or kill)",
			      t->einval || t->efault ? "," : "", t->rolled_back);
	if (t->other) {
		name = t->last_outcome < OUTCOME_ROLLED_BACK ? strerrorname_np((int)t->last_outcome)
							     : NULL;
		if (t->other < t->errors)
			buffer_format(b, ", %" PRIu64 " otherwise", t->other);
		buffer_text(b, t->other < t->errors ? ", " : " ");
		if (t->last_outcome == OUTCOME_POSITIVE)
			buffer_text(b, "with a positive answer");
		else if (name)
			buffer_format(b, "last %s", name);
		else
			buffer_format(b, "last errno %u", t->last_outcome);
	}
	buffer_text(b, ".\n");
	if (t->efault && w->f->verdict.cause == CAUSE_DIRECT)
		buffer_text(&w->a->remedy,
			    "Before that, fix the pointer that it passes: where the kernel "
			    "answers EFAULT, the vDSO would get a SIGSEGV.\n");
}

/* Why something could not be looked at. */
static void add_refusal(struct buffer *b, const char *what, int error)
{
	if (error == EACCES || error == EPERM)
		buffer_format(b,
			      "%s could not be read: that needs CAP_SYS_PTRACE (and "
			      "CAP_DAC_READ_SEARCH).\n",
			      what);
	else if (error == ESTALE || error == ENOENT)
		buffer_format(b, "%s was deleted or replaced since.\n", what);
	else
		buffer_format(b, "%s could not be read: %s.\n", what, strerror(error));
}

/* Where a direct call's instruction lies. */
static void add_site(const struct wording *w)
{
	const struct call_site *site = &w->f->site;
	struct buffer *b = &w->a->evidence;

	if (w->r->via != VIA_DIRECT)
		return;
	if (w->f->evidence.caller == CALLER_ANON) {
		buffer_text(b, "The syscall instruction lies in memory without a file.\n");
		return;
	}
	if (!site->path[0] && !w->r->object[0])
		return;
	buffer_text(b, "The syscall instruction lies in ");
	if (site->symbol[0]) {
		add_foreign(b, site->symbol, w->utf8);
		buffer_text(b, " of ");
	}
	add_foreign(b, site->path[0] ? site->path : w->r->object, w->utf8);
	buffer_text(b, site->exe ? ", the program itself.\n" : ".\n");
	if (w->f->evidence.caller == CALLER_UNKNOWN && w->f->site_errno)
		add_refusal(b, "That file", w->f->site_errno);
}

static void add_vdso(const struct wording *w)
{
	static const char *const genuine[] = {
	    [FACT_UNKNOWN] = "A vDSO is mapped in the process; its code could not be compared.\n",
	    [FACT_NO] = "A vDSO is mapped in the process; its code is not the kernel's.\n",
	    [FACT_YES] = "A vDSO is mapped in the process, with the kernel's code.\n",
	};
	struct buffer *b = &w->a->evidence;

	switch (w->f->vdso) {
	case WHERE_VDSO_MAPPED:
		buffer_text(b, genuine[w->f->evidence.vdso_genuine]);
		if (w->f->evidence.vdso_genuine == FACT_UNKNOWN && w->f->vdso_errno)
			add_refusal(b, "Its code", w->f->vdso_errno);
		break;
	case WHERE_VDSO_NONE:
		buffer_text(b, "The kernel gave the process no vDSO.\n");
		break;
	case WHERE_VDSO_UNMAPPED:
		buffer_text(b, "The kernel gave the process a vDSO, and it is unmapped.\n");
		break;
	case WHERE_VDSO_UNKNOWN:
		break;
	}
}

/* What stood in the way of a look, and who else has a hand in the process. */
static void add_look(const struct wording *w)
{
	const struct finding *f = w->f;
	struct buffer *b = &w->a->evidence;

	if (f->evidence.seccomp == FACT_YES &&
	    (f->verdict.cause == CAUSE_DENIED || f->verdict.cause == CAUSE_UNKNOWN))
		buffer_text(b, "A seccomp filter is installed in the process.\n");
	if (f->tool)
		buffer_format(b, "The process runs under %s.\n", f->tool);
	if (f->tracer)
		buffer_format(b, "The process is traced by pid %u.\n", f->tracer);
	if (f->gone)
		buffer_text(b, "The process ended before it could be looked at; this is what the "
			       "kernel noted of it.\n");
	else if (f->looked_errno)
		add_refusal(b, "The process", f->looked_errno);
	else if (!f->looked)
		buffer_text(b, "The process was not looked at yet.\n");
}

static void advise_clocksource(const struct wording *w)
{
	struct advice *a = w->a;
	char able[sizeof(w->host->available)];

	if (w->f->evidence.served == SERVED_NO) { /* advice_host() has more to say */
		buffer_format(&a->cause,
			      "The clocksource %s is not read in user space, so every read is a "
			      "syscall.\n",
			      w->f->clocksource);
		buffer_text(&a->remedy, "Another clocksource: see the host.\n");
		return;
	}
	if (w->f->evidence.unserved_in_interval) {
		buffer_format(&a->cause,
			      "While these calls were made, the clocksource %s was in force, which "
			      "is not read in user space.\n",
			      w->f->clocksource);
		buffer_format(&a->remedy, "None: %s is in force now, and the clock is served.\n",
			      w->host->clocksource);
		return;
	}
	buffer_format(&a->cause,
		      "The clock is served by %s, but for moments it was not: a clocksource of a "
		      "hypervisor can lose and regain its stability, and one that was switched "
		      "away and back is missed.\n",
		      w->host->clocksource);
	health_clocksources(able, sizeof(able), w->host, HOST_ABLE_YES);
	if (host_clocksource_able(w->host->clocksource) == HOST_ABLE_MAYBE && able[0])
		buffer_format(&a->remedy, "If it goes on, use another clocksource (%s).\n", able);
	else
		buffer_text(&a->remedy, "See what dmesg says of clocksources at that time.\n");
}

static void advise_clock_id(const struct wording *w)
{
	const struct record *r = w->r;
	struct advice *a = w->a;

	if (clock_can_be_served(r->call, r->clock)) {
		buffer_format(&a->cause, "This kernel's vDSO serves %s on no clocksource.\n",
			      w->clock);
		buffer_text(&a->remedy, "Read it less often, or read another clock.\n");
		return;
	}
	if (is_alarm(r)) {
		buffer_text(&a->cause, "No vDSO serves alarm clocks; every read is a syscall on "
				       "every host.\n");
		buffer_format(&a->remedy, "Read %s: it shows the same time.\n", without_alarm(r));
	} else if (is_fd(r)) {
		buffer_text(&a->cause, "The clock is a device (PTP), which only the kernel can "
				       "ask; every read is a syscall on every host.\n");
		buffer_text(&a->remedy, "Read it less often, or keep CLOCK_TAI or CLOCK_REALTIME "
					"in step with it (phc2sys) and read that.\n");
	} else {
		buffer_text(&a->cause, "No vDSO serves CPU-time clocks; every read is a syscall "
				       "on every host.\n");
		buffer_text(&a->remedy, "Read it less often. Another clocksource will not help.\n");
	}
}

static void advise_invalid_clock(const struct wording *w)
{
	const struct record *r = w->r;
	struct advice *a = w->a;

	if (is_alarm(r)) {
		buffer_text(&a->cause, "This host has no clock that could wake it (RTC), so its "
				       "kernel refuses alarm clocks.\n");
		buffer_format(&a->remedy, "Read %s: it shows the same time.\n", without_alarm(r));
		return;
	}
	if (is_aux(r)) {
		buffer_text(&a->cause, "The kernel has no auxiliary clocks, or this one is not "
				       "enabled.\n");
		buffer_text(&a->remedy, "Enable it (/sys/kernel/time/aux_clocks), or fix the "
					"program.\n");
		return;
	}
	if (is_fd(r))
		buffer_text(&a->cause, "That descriptor of the process is no clock.\n");
	else if (r->clock < 0)
		buffer_text(&a->cause, "There is no such task, or it is a thread of another "
				       "process, whose clock only that process may read.\n");
	else
		buffer_text(&a->cause, "The kernel knows no such clock.\n");
	if (r->clock < 0 && !is_fd(r))
		buffer_text(&a->remedy, "None, if the task only ended before its clock was asked "
					"for; otherwise fix the program.\n");
	else
		buffer_text(&a->remedy, "Fix the program.\n");
}

static void advise_denied(const struct wording *w)
{
	struct advice *a = w->a;
	bool time64 = w->r->call == CALL_CLOCK_GETTIME64 || w->r->call == CALL_CLOCK_GETRES_TIME64;

	buffer_text(&a->cause, "A seccomp filter refuses ");
	buffer_text(&a->cause, call_name(w->r->call));
	buffer_text(&a->cause, ".\n");
	if (time64)
		buffer_format(&a->remedy,
			      "The filter does not know %s: update libseccomp (2.4.2 "
			      "or newer) and the container runtime that uses it.\n",
			      call_name(w->r->call));
	else if (w->r->container[0])
		buffer_format(&a->remedy,
			      "Allow %s in the container's seccomp profile, or update "
			      "the container runtime and libseccomp.\n",
			      call_name(w->r->call));
	else
		buffer_format(&a->remedy,
			      "Allow %s in the filter that the program, or who "
			      "started it, installs.\n",
			      call_name(w->r->call));
	if (w->r->via == VIA_VDSO && clock_can_be_served(w->r->call, w->r->clock))
		buffer_text(&a->remedy, "The filter is asked only because the vDSO fell back.\n");
}

static void advise_no_vdso(const struct wording *w)
{
	const char *parameter = w->r->abi == abi_host() ? "vdso" : "vdso32";
	struct advice *a = w->a;
	char value[64];

	if (w->f->tool) {
		buffer_format(&a->cause, "%s unmaps or hides the vDSO of the programs it runs.\n",
			      w->f->tool);
		buffer_format(&a->remedy, "None: this is expected under %s.\n", w->f->tool);
		return;
	}
	if (w->f->vdso == WHERE_VDSO_UNMAPPED) {
		buffer_text(&a->cause, "The process's vDSO was unmapped: by the program, or by a "
				       "tool that it runs under.\n");
		buffer_text(&a->remedy, "Expected under a binary translator, recorder or sandbox; "
					"its program is ");
		add_foreign(&a->remedy, w->f->exe[0] ? w->f->exe : "not known", w->utf8);
		buffer_text(&a->remedy, ".\n");
		return;
	}
	buffer_text(&a->cause, "The kernel gave the process no vDSO.\n");
	if (host_boot_parameter(w->host, parameter, value, sizeof(value)))
		buffer_format(&a->remedy,
			      "Remove %s=%s from the kernel command line, and boot "
			      "again.\n",
			      parameter, value);
	else if (w->r->abi != abi_host())
		buffer_text(&a->remedy,
			    "32-bit programs get none here; on x86 that is set by "
			    "vdso32=0 at boot or by:\n" ADVICE_COMMAND "sysctl abi.vsyscall32\n");
	else
		buffer_text(&a->remedy, "Boot the kernel without vdso=0.\n");
}

static void advise_vdso_modified(const struct wording *w)
{
	struct advice *a = w->a;

	if (w->f->tool) {
		buffer_format(&a->cause, "%s patched the vDSO, so that it makes syscalls.\n",
			      w->f->tool);
		buffer_format(&a->remedy, "None: this is expected under %s.\n", w->f->tool);
		return;
	}
	buffer_text(&a->cause, "The calls come from inside the vDSO, but its code is not the "
			       "kernel's: somebody patched it in this process.\n");
	buffer_text(&a->remedy, "Expected under a recorder or tracer; otherwise find out what "
				"patched it.\n");
}

static void advise_libc(const struct wording *w)
{
	struct advice *a = w->a;

	buffer_text(&a->cause, "The libc or runtime makes ");
	buffer_text(&a->cause, call_name(w->r->call));
	buffer_text(&a->cause, " a syscall, though a vDSO is there: it has no vDSO support for "
			       "this call, or did not find the vDSO.\n");
	if (w->r->call == CALL_CLOCK_GETRES || w->r->call == CALL_CLOCK_GETRES_TIME64)
		buffer_text(&a->remedy, "A clock's resolution does not change while a program "
					"runs: ask once and keep the answer.\n");
	else if (w->f->site.exe)
		buffer_text(&a->remedy, "The libc is linked into the program: link it dynamically "
					"or against a newer libc, or call clock_gettime(), which "
					"static programs read through the vDSO more often than "
					"time() and gettimeofday().\n");
	else
		buffer_text(&a->remedy, "Use a newer libc, or another: current glibc and musl "
					"read the clock through the vDSO.\n");
}

static void advise_direct(const struct wording *w)
{
	struct advice *a = w->a;

	switch (w->f->evidence.caller) {
	case CALLER_LIBC_SYSCALL:
		buffer_text(&a->cause, "The program calls syscall(2) itself (which part of it "
				       "does cannot be told from outside).\n");
		break;
	case CALLER_ANON:
		buffer_text(&a->cause, "Code without a file issues the syscall: a JIT compiler's, "
				       "or a tool's.\n");
		break;
	default:
		buffer_text(&a->cause, "The program issues the syscall itself, past the libc.\n");
	}
	if (w->r->abi == ABI_I386 && abi_host() == ABI_X86_64)
		buffer_text(&a->cause, "It is one of the 32-bit table (i386); in a 64-bit program "
				       "that is int $0x80.\n");
	buffer_text(&a->remedy, "Call the libc's ");
	buffer_text(&a->remedy,
		    w->r->call == CALL_TIME	      ? "time()"
		    : w->r->call == CALL_GETTIMEOFDAY ? "gettimeofday()"
		    : w->r->call == CALL_CLOCK_GETRES || w->r->call == CALL_CLOCK_GETRES_TIME64
			? "clock_getres()"
			: "clock_gettime()");
	buffer_text(&a->remedy, " instead: it asks the vDSO.\n");
}

static void advise_vsyscall(const struct wording *w)
{
	buffer_text(&w->a->cause, "The program reads the time through the legacy vsyscall page, "
				  "which traps into the kernel.\n");
	buffer_text(&w->a->remedy, "Rebuild it against a libc of this decade, or use a newer "
				   "image of it.\n");
}

static void advise_unknown(const struct wording *w)
{
	buffer_format(&w->a->cause, "The evidence does not decide. %s\n",
		      missing_sentence(w->f->verdict.missing));
	buffer_text(&w->a->remedy, "Measure again while the process runs, with all privileges.\n");
}

void advice_call(struct advice *a, const struct finding *f, const struct record *r,
		 const struct host *host, bool utf8)
{
	static void (*const advise[NR_CAUSE])(const struct wording *) = {
	    [CAUSE_UNKNOWN] = advise_unknown,
	    [CAUSE_CLOCKSOURCE] = advise_clocksource,
	    [CAUSE_CLOCK_ID] = advise_clock_id,
	    [CAUSE_INVALID_CLOCK] = advise_invalid_clock,
	    [CAUSE_DENIED] = advise_denied,
	    [CAUSE_NO_VDSO] = advise_no_vdso,
	    [CAUSE_VDSO_MODIFIED] = advise_vdso_modified,
	    [CAUSE_LIBC] = advise_libc,
	    [CAUSE_DIRECT] = advise_direct,
	    [CAUSE_VSYSCALL] = advise_vsyscall,
	};
	struct wording w = {.a = a, .f = f, .r = r, .host = host, .utf8 = utf8};

	clock_name(w.clock, sizeof(w.clock), r->call, r->clock);
	advise[f->verdict.cause](&w);
	add_answers(&w);
	if (f->verdict.cause == CAUSE_CLOCK_ID || f->verdict.cause == CAUSE_INVALID_CLOCK ||
	    f->verdict.cause == CAUSE_VSYSCALL)
		return;
	add_site(&w);
	add_vdso(&w);
	add_look(&w);
}
