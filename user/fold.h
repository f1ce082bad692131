/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of threads added up to records of their processes.  Pure. */
#ifndef CLOCKTOP_FOLD_H
#define CLOCKTOP_FOLD_H

#include "record.h"

/* Adds up what differs in the thread only; cause and caller are those of the
 * thread with the most calls.  to's memory is reused; what exited is not
 * copied.  0 or -ENOMEM. */
int interval_fold(const struct interval *from, struct interval *to);

#endif
