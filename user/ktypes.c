// SPDX-License-Identifier: GPL-2.0-only
#include "ktypes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "map.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"
#define LEAST_READ (4U << 20)

/* What a name is asked for as. */
struct wanted_name {
	const char *name;
	bool whole;	      /* copy the type */
	struct ktypes_id *id; /* answer its number */
};

struct trim {
	const unsigned char *types; /* the records of varying length, one after the other */
	const char *strings;
	uint32_t types_len, strings_len;
	uint32_t *offsets; /* of each type, by number */
	uint32_t nr;	   /* types; their numbers begin at 1 */
	/* What is copied: old numbers in the order of the new ones, and back. */
	uint32_t *chosen, *renumbered;
	uint32_t nr_chosen;
	struct buffer out_types, out_strings;
};

/* The names that are asked for. */
struct wanted {
	struct map names;	/* hash_name(): struct wanted_name */
	bool begins[256 * 256]; /* the two first characters of any */
};

static unsigned int kind_of(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

/* Bytes behind the head of a type; -1 for a kind that is not known. */
static long tail_of(const struct btf_type *t)
{
	const long n = BTF_INFO_VLEN(t->info);

	switch (kind_of(t)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	case BTF_KIND_INT:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * (long)sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * (long)sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return n * (long)sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return n * (long)sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return n * (long)sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sizeof(struct btf_decl_tag);
	default:
		return -1;
	}
}

static const char *string_at(const struct trim *t, uint32_t offset)
{
	return offset < t->strings_len ? t->strings + offset : "";
}

static const struct btf_type *type_at(const struct trim *t, uint32_t id)
{
	return (const void *)(t->types + t->offsets[id]);
}

/* Most names are told from the wanted ones by how they begin. */
static unsigned int beginning(const char *name)
{
	return (unsigned char)name[0] << 8 | (unsigned char)name[1];
}

/* Names and kinds are one key: the same name can be a structure's and a
 * function's. */
static uint64_t hash_name(const char *name, unsigned int kind)
{
	uint64_t h = 0xcbf29ce484222325ULL ^ kind; /* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3ULL;
	return h;
}

/* The number a type has in the copy, which it is put into if it is not yet. */
static uint32_t choose(struct trim *t, uint32_t id)
{
	if (!id || id > t->nr)
		return 0;
	if (!t->renumbered[id]) {
		t->chosen[t->nr_chosen++] = id;
		t->renumbered[id] = t->nr_chosen;
	}
	return t->renumbered[id];
}

static int open_btf(struct trim *t, const void *btf, size_t size)
{
	const struct btf_header *h = btf;
	uint64_t types, strings;

	if (size < sizeof(*h) || h->magic != BTF_MAGIC || h->version != BTF_VERSION)
		return -EINVAL;
	types = (uint64_t)h->hdr_len + h->type_off;
	strings = (uint64_t)h->hdr_len + h->str_off;
	if (types + h->type_len > size || strings + h->str_len > size || types % 4 || !h->str_len)
		return -EINVAL;
	t->types = (const unsigned char *)btf + types;
	t->types_len = h->type_len;
	t->strings = (const char *)btf + strings;
	t->strings_len = h->str_len;
	if (t->strings[h->str_len - 1])
		return -EINVAL;
	/* Pages that are not written to are none. */
	t->nr = h->type_len / sizeof(struct btf_type);
	t->offsets = malloc((t->nr + 1) * sizeof(*t->offsets));
	t->chosen = malloc((t->nr + 1) * sizeof(*t->chosen));
	t->renumbered = calloc(t->nr + 1, sizeof(*t->renumbered));
	return t->offsets && t->chosen && t->renumbered ? 0 : -ENOMEM;
}

/* Finds where the types lie, and those that are wanted. */
static int scan(struct trim *t, const struct wanted *wanted)
{
	uint32_t at = 0, id;

	for (id = 1; at < t->types_len; id++) {
		const struct btf_type *type = (const void *)(t->types + at);
		long tail = t->types_len - at < sizeof(*type) ? -1 : tail_of(type);
		const struct wanted_name *w;
		const char *name;
		uint64_t hash;

		if (tail < 0 || (size_t)tail > t->types_len - at - sizeof(*type))
			return -EINVAL;
		t->offsets[id] = at;
		at += (uint32_t)sizeof(*type) + (uint32_t)tail;
		name = string_at(t, type->name_off);
		if (!*name || !wanted->begins[beginning(name)])
			continue;
		hash = hash_name(name, kind_of(type));
		w = map_get(&wanted->names, &hash);
		if (!w || strcmp(w->name, name) != 0)
			continue;
		if (w->id && !w->id->id)
			w->id->id = id;
		if (w->whole) /* the number of types is not known yet */
			t->renumbered[id] = 1;
	}
	t->nr = id - 1;
	for (id = 1; id <= t->nr; id++) {
		if (!t->renumbered[id])
			continue;
		t->renumbered[id] = 0;
		choose(t, id);
	}
	return 0;
}

static uint32_t copy_name(struct trim *t, uint32_t offset)
{
	const char *name = string_at(t, offset);
	uint32_t at = (uint32_t)t->out_strings.len;

	if (!*name)
		return 0;
	buffer_add(&t->out_strings, name, strlen(name) + 1);
	return at;
}

/* Copies a type with numbers and names of the copy; a pointer's target is left
 * out. */
static void copy_type(struct trim *t, uint32_t id)
{
	const struct btf_type *from = type_at(t, id);
	const unsigned int n = BTF_INFO_VLEN(from->info);
	const size_t size = sizeof(*from) + (size_t)tail_of(from);
	struct btf_type *type = malloc(size);

	if (!type) {
		t->out_types.failed = true;
		return;
	}
	memcpy(type, from, size);
	type->name_off = copy_name(t, from->name_off);
	switch (kind_of(from)) {
	case BTF_KIND_PTR:
		type->type = 0;
		break;
	case BTF_KIND_ARRAY: {
		struct btf_array *array = (void *)(type + 1);

		array->type = choose(t, array->type);
		array->index_type = choose(t, array->index_type);
		break;
	}
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION: {
		struct btf_member *members = (void *)(type + 1);

		for (unsigned int i = 0; i < n; i++) {
			members[i].name_off = copy_name(t, members[i].name_off);
			members[i].type = choose(t, members[i].type);
		}
		break;
	}
	case BTF_KIND_ENUM: {
		struct btf_enum *values = (void *)(type + 1);

		for (unsigned int i = 0; i < n; i++)
			values[i].name_off = copy_name(t, values[i].name_off);
		break;
	}
	case BTF_KIND_ENUM64: {
		struct btf_enum64 *values = (void *)(type + 1);

		for (unsigned int i = 0; i < n; i++)
			values[i].name_off = copy_name(t, values[i].name_off);
		break;
	}
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		type->type = choose(t, type->type);
		break;
	default: /* nothing in it refers to another type */
		break;
	}
	buffer_add(&t->out_types, type, size);
	free(type);
}

static int write_btf(struct trim *t, struct buffer *out)
{
	struct btf_header h = {
	    .magic = BTF_MAGIC,
	    .version = BTF_VERSION,
	    .hdr_len = sizeof(h),
	};

	buffer_char(&t->out_strings, '\0'); /* the empty name */
	for (uint32_t i = 0; i < t->nr_chosen; i++)
		copy_type(t, t->chosen[i]);
	h.type_len = h.str_off = (uint32_t)t->out_types.len;
	h.str_len = (uint32_t)t->out_strings.len;
	buffer_add(out, &h, sizeof(h));
	if (t->out_types.len)
		buffer_add(out, t->out_types.data, t->out_types.len);
	buffer_add(out, t->out_strings.data, t->out_strings.len);
	return t->out_types.failed || t->out_strings.failed || out->failed ? -ENOMEM : 0;
}

static struct wanted_name *want(struct wanted *wanted, const char *name, unsigned int kind)
{
	uint64_t hash = hash_name(name, kind);
	struct wanted_name *w = map_put(&wanted->names, &hash, NULL);

	if (w)
		w->name = name;
	wanted->begins[beginning(name)] = true;
	return w;
}

static int want_all(struct wanted *wanted, const char *const *names, size_t nr_names,
		    struct ktypes_id *ids, size_t nr_ids)
{
	static const unsigned int kinds[] = {BTF_KIND_STRUCT, BTF_KIND_UNION, BTF_KIND_ENUM,
					     BTF_KIND_ENUM64};
	struct wanted_name *w;

	for (size_t i = 0; i < nr_names; i++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			w = want(wanted, names[i], kinds[k]);
			if (!w)
				return -ENOMEM;
			w->whole = true;
		}
	for (size_t i = 0; i < nr_ids; i++) {
		ids[i].id = 0;
		w = want(wanted, ids[i].name, ids[i].kind);
		if (!w)
			return -ENOMEM;
		w->id = &ids[i];
	}
	return 0;
}

int ktypes_trim(const void *btf, size_t size, const char *const *names, size_t nr_names,
		struct ktypes_id *ids, size_t nr_ids, struct buffer *out)
{
	struct wanted *wanted = calloc(1, sizeof(*wanted));
	struct trim t = {0};
	int err;

	if (!wanted)
		return -ENOMEM;
	map_init(&wanted->names, sizeof(uint64_t), sizeof(struct wanted_name));
	err = want_all(wanted, names, nr_names, ids, nr_ids);
	if (!err)
		err = open_btf(&t, btf, size);
	if (!err)
		err = scan(&t, wanted);
	if (!err)
		err = write_btf(&t, out);
	map_free(&wanted->names);
	free(wanted);
	free(t.offsets);
	free(t.chosen);
	free(t.renumbered);
	buffer_free(&t.out_types);
	buffer_free(&t.out_strings);
	return err;
}

/* Reads a file to its end.  0 or -errno. */
static int read_all(int fd, struct buffer *b)
{
	char *room;
	ssize_t n;

	do {
		room = buffer_reserve(b, LEAST_READ);
		if (!room)
			return -ENOMEM;
		n = read(fd, room, b->room - b->len - 1);
		if (n > 0)
			b->len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	return n < 0 ? -errno : 0;
}

/* Maps the kernel's BTF, or reads it where it cannot be mapped (before Linux
 * 6.16), and trims it. */
static int trim_kernel(const char *const *names, size_t nr_names, struct ktypes_id *ids,
		       size_t nr_ids, struct buffer *out)
{
	int fd = open(KERNEL_BTF, O_RDONLY | O_CLOEXEC), err;
	struct buffer copy = {0};
	struct stat st;
	void *mapped;
	size_t size;

	if (fd < 0 || fstat(fd, &st) < 0) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	size = (size_t)st.st_size;
	mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (mapped != MAP_FAILED) {
		err = ktypes_trim(mapped, size, names, nr_names, ids, nr_ids, out);
		munmap(mapped, size);
	} else {
		err = read_all(fd, &copy);
		if (!err)
			err = ktypes_trim(copy.data, copy.len, names, nr_names, ids, nr_ids, out);
		buffer_free(&copy);
	}
	close(fd);
	return err;
}

int ktypes_open(const char *const *names, size_t nr_names, struct ktypes_id *ids, size_t nr_ids)
{
	struct buffer out = {0};
	int fd = -1, err = trim_kernel(names, nr_names, ids, nr_ids, &out);

	if (!err) {
		fd = memfd_create("types", MFD_CLOEXEC);
		if (fd < 0)
			err = -errno;
	}
	for (size_t done = 0; !err && done < out.len;) {
		ssize_t n = write(fd, out.data + done, out.len - done);

		if (n > 0)
			done += (size_t)n;
		else if (errno != EINTR)
			err = -errno;
	}
	buffer_free(&out);
	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}
