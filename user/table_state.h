/* SPDX-License-Identifier: GPL-2.0-only */
/* What table.c, which adds up, and table_rows.c, which makes rows, share. */
#ifndef CLOCKTOP_TABLE_STATE_H
#define CLOCKTOP_TABLE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ledger.h"
#include "table.h"
#include "table_order.h"

struct table {
	struct ledger sums;   /* processes, threads, and the remains of the exited */
	struct ledger groups; /* commands or containers of the last table_rows() */
	uint32_t stamp;	      /* counts the intervals */
	double seconds;	      /* of the last interval */
	uint32_t *gone;	      /* entries that exited in the last interval */
	size_t nr_gone, gone_room;
	bool threads;	  /* there are some */
	bool threads_new; /* their first interval has not ended */
	struct table_row *rows;
	struct table_part *parts;
	size_t nr_rows, row_room, part_room;
	struct table_order order;
};

/* The key of the command or container that a process belongs to. */
struct ledger_key table_name_key(enum ledger_kind kind, const struct ledger_entry *e);

/* What a group knows of its processes, from one more of them; counted: it
 * still is one of them. */
void table_join(struct ledger_entry *group, const struct ledger_entry *e, bool counted);

#endif
