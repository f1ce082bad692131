/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds intervals up to one, as if it had been measured in one piece. */
#ifndef CLOCKTOP_WHY_SUM_H
#define CLOCKTOP_WHY_SUM_H

#include "map.h"
#include "record.h"

struct why_sum {
	struct interval interval; /* records without causes */
	struct map index;	  /* of records, by what they are of */
};

void why_sum_init(struct why_sum *s);
void why_sum_free(struct why_sum *s);

/* Adds iv, which follows the last one added.  0 or -ENOMEM. */
int why_sum_add(struct why_sum *s, const struct interval *iv);

#endif
