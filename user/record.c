// SPDX-License-Identifier: GPL-2.0-only
#include "record.h"

#include <errno.h>

static const char *const cause_names[NR_CAUSE] = {
    [CAUSE_UNKNOWN] = "unknown",
    [CAUSE_CLOCKSOURCE] = "clocksource",
    [CAUSE_CLOCK_ID] = "clock-id",
    [CAUSE_INVALID_CLOCK] = "invalid-clock",
    [CAUSE_DENIED] = "denied",
    [CAUSE_NO_VDSO] = "no-vdso",
    [CAUSE_VDSO_MODIFIED] = "vdso-modified",
    [CAUSE_LIBC] = "libc",
    [CAUSE_DIRECT] = "direct",
    [CAUSE_VSYSCALL] = "vsyscall",
};

const char *cause_name(enum cause cause)
{
	return cause_names[cause];
}

void tally_outcome(struct tally *t, unsigned int outcome, uint64_t n)
{
	t->count += n;
	if (!outcome)
		return;
	t->errors += n;
	t->last_outcome = outcome;
	if (outcome == EINVAL)
		t->einval += n;
	else if (outcome == EFAULT)
		t->efault += n;
	else if (outcome == OUTCOME_ROLLED_BACK)
		t->rolled_back += n;
	else
		t->other += n;
}

void tally_add(struct tally *a, const struct tally *b)
{
	a->count += b->count;
	a->errors += b->errors;
	a->einval += b->einval;
	a->efault += b->efault;
	a->rolled_back += b->rolled_back;
	a->other += b->other;
	if (b->last_outcome != 0)
		a->last_outcome = b->last_outcome;
}
