/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types, as far as the BPF programs read them.  libbpf looks at
 * each of the kernel's hundred thousand types for every structure that a program
 * names, which is most of the time that a start takes; this module goes
 * through them once and writes those that were asked for, and what lies in them,
 * as BTF of their own.  It knows nothing of programs.
 *
 * The format: Documentation/bpf/btf.rst in the kernel's sources.
 */
#ifndef CLOCKTOP_KTYPES_H
#define CLOCKTOP_KTYPES_H

#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

/* A type whose number in the kernel's BTF is asked for. */
struct ktypes_id {
	const char *name;
	unsigned int kind; /* BTF_KIND_* */
	uint32_t id;	   /* the answer; 0: there is none */
};

/* Of `btf`, which is raw BTF of this machine's byte order: writes the structures,
 * unions and enumerations of the given names, with everything that lies in them
 * but what pointers point to, as raw BTF into the empty `out`; and answers
 * `ids`.  Names that it has not are left out.  0, -EINVAL for what is no BTF or
 * has kinds of types that are not known here, or -ENOMEM. */
int ktypes_trim(const void *btf, size_t size, const char *const *names, size_t nr_names,
		struct ktypes_id *ids, size_t nr_ids, struct buffer *out);

/* The same of the running kernel's.  Returns a descriptor of a file in memory
 * that holds `out`, or -errno (-ENOENT: this kernel has no BTF; -EFBIG: no file may
 * be that large, but the ids are answered). */
int ktypes_open(const char *const *names, size_t nr_names, struct ktypes_id *ids, size_t nr_ids);

#endif
