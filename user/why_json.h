/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The diagnosis as JSON Lines: the same content as why.h's text, one line for
 * the host and one for each process.
 */
#ifndef CLOCKTOP_WHY_JSON_H
#define CLOCKTOP_WHY_JSON_H

#include "buffer.h"
#include "why.h"

/* Adds a line of "kind": "host". */
void why_json_host(struct buffer *out, const struct why_context *c);

/* Adds a line of "kind": "process"; "calls" is empty for one without any. */
void why_json_process(struct buffer *out, const struct why_context *c, struct proc_id proc);

#endif
