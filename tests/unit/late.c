// SPDX-License-Identifier: GPL-2.0-only
/* Processes that there was no time to look at in the interval they called in. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "abi.h"
#include "evidence.h"
#include "interval.h"
#include "late.h"
#include "proc.h"
#include "served.h"

#define NO_TIME 0.0 /* for any look: an interval of no length */

struct fixture {
	struct host host;
	struct served served;
	struct evidences *evidences;
	struct interval iv;
	pid_t child;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	memset(f->served.gettime, SERVED_YES, sizeof(f->served.gettime));
	f->served.gettimeofday = SERVED_YES;
	f->evidences = evidences_new(&f->host, NULL, &f->served);
	assert_non_null(f->evidences);
	interval_init(&f->iv);
	f->child = fork();
	if (f->child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	assert_true(f->child > 0);
	*state = f;
	return 0;
}

static void end_child(struct fixture *f)
{
	if (f->child)
		kill(f->child, SIGKILL);
	if (f->child)
		waitpid(f->child, NULL, 0);
	f->child = 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	end_child(f);
	evidences_free(f->evidences);
	interval_free(&f->iv);
	free(f);
	return 0;
}

/* An interval in which the child's vDSO fell back `count` times. */
static void calls(struct fixture *f, double seconds, int32_t clock, uint64_t count)
{
	f->iv.records = realloc(f->iv.records, sizeof(*f->iv.records));
	assert_non_null(f->iv.records);
	f->iv.room = f->iv.nr = 1;
	f->iv.seconds = seconds;
	f->iv.records[0] = (struct record){
	    .proc = {(uint32_t)f->child, proc_start_ns((uint32_t)f->child)},
	    .call = CALL_CLOCK_GETTIME,
	    .abi = abi_host(),
	    .via = VIA_VDSO,
	    .clock = clock,
	    .calls = {.count = count},
	    .where = WHERE_ASKED,
	    .object = "",
	};
	evidences_apply(f->evidences, &f->iv);
}

static void no_calls(struct fixture *f, double seconds)
{
	f->iv.nr = 0;
	f->iv.seconds = seconds;
	evidences_apply(f->evidences, &f->iv);
}

/* A look can be kept waiting by a busy host: steps until one was made. */
static const struct record *settled(struct fixture *f, size_t *nr)
{
	const struct record *r;
	int i = 0;

	do {
		no_calls(f, 1);
		r = evidences_settled(f->evidences, nr);
	} while (!*nr && i++ < 1000);
	return r;
}

static void an_idle_process_gets_its_cause_later(void **state)
{
	struct fixture *f = *state;
	const struct record *r;
	size_t nr;

	calls(f, NO_TIME, CLOCK_MONOTONIC, 7);
	assert_int_equal(f->iv.records[0].cause, CAUSE_UNKNOWN);
	evidences_settled(f->evidences, &nr);
	assert_int_equal(nr, 0);
	no_calls(f, NO_TIME);
	evidences_settled(f->evidences, &nr);
	assert_int_equal(nr, 0);

	r = settled(f, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(r->proc.pid, f->child);
	assert_int_equal(r->calls.count, 7);
	assert_int_equal(r->cause, CAUSE_CLOCKSOURCE);

	no_calls(f, 1); /* once is enough */
	evidences_settled(f->evidences, &nr);
	assert_int_equal(nr, 0);
}

/* What was served when the calls were made decides, not what is at the look. */
static void it_is_judged_by_what_was_served_then(void **state)
{
	struct fixture *f = *state;
	struct served worse = f->served;
	const struct record *r;
	size_t nr;

	worse.gettime[CLOCK_REALTIME_COARSE] = SERVED_NO;
	calls(f, NO_TIME, CLOCK_REALTIME_COARSE, 1);
	evidences_served(f->evidences, &worse, "hpet");
	r = settled(f, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(r->cause, CAUSE_UNKNOWN);

	calls(f, 1, CLOCK_REALTIME_COARSE, 1);
	assert_int_equal(f->iv.records[0].cause, CAUSE_CLOCK_ID);
}

static void newer_calls_take_the_place_of_older_ones(void **state)
{
	struct fixture *f = *state;
	size_t nr;

	calls(f, NO_TIME, CLOCK_MONOTONIC, 7);
	while (calls(f, 1, CLOCK_MONOTONIC, 9), f->iv.records[0].cause == CAUSE_UNKNOWN)
		;
	evidences_settled(f->evidences, &nr);
	assert_int_equal(nr, 0);
}

static void who_has_ended_is_forgotten(void **state)
{
	struct fixture *f = *state;
	struct gone gone = {.proc = {(uint32_t)f->child, 0}};
	size_t nr;

	calls(f, NO_TIME, CLOCK_MONOTONIC, 7);
	gone.proc = f->iv.records[0].proc;
	end_child(f);
	f->iv.gone = malloc(sizeof(gone));
	assert_non_null(f->iv.gone);
	f->iv.gone[0] = gone;
	f->iv.nr_gone = f->iv.gone_room = 1;
	no_calls(f, NO_TIME); /* says that it is gone */
	f->iv.nr_gone = 0;
	for (int i = 0; i < 3; i++) {
		no_calls(f, 1);
		evidences_settled(f->evidences, &nr);
		assert_int_equal(nr, 0);
	}
}

static enum late_fate by_clock(struct late_record *r, void *arg)
{
	unsigned int *seen = arg;

	*seen += 1;
	return r->record.clock % 3 == 0	  ? LATE_WAIT
	       : r->record.clock % 3 == 1 ? LATE_DROP
					  : LATE_SETTLE;
}

static void each_has_its_fate(void **state)
{
	struct late_record r = {.record.object = ""};
	unsigned int seen = 0;
	struct late l;

	(void)state;
	late_init(&l);
	for (r.record.clock = 0; r.record.clock < 300; r.record.clock++) {
		late_add(&l, &r);
		late_add(&l, &r);
	}
	late_pass(&l, by_clock, &seen);
	assert_int_equal(seen, 300);
	assert_int_equal(l.nr_settled, 100);
	for (size_t i = 0; i < l.nr_settled; i++)
		assert_int_equal(l.settled[i].clock % 3, 2);
	seen = 0;
	late_pass(&l, by_clock, &seen);
	assert_int_equal(seen, 100);
	assert_int_equal(l.nr_settled, 0);
	late_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(an_idle_process_gets_its_cause_later, setup, teardown),
	    cmocka_unit_test_setup_teardown(it_is_judged_by_what_was_served_then, setup, teardown),
	    cmocka_unit_test_setup_teardown(newer_calls_take_the_place_of_older_ones, setup,
					    teardown),
	    cmocka_unit_test_setup_teardown(who_has_ended_is_forgotten, setup, teardown),
	    cmocka_unit_test(each_has_its_fate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
