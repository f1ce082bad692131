// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's types that are handed to libbpf, read back by libbpf. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <cmocka.h>

#include "ktypes.h"

/*
 * struct far { int x; };
 * typedef struct { int counter; } atomic;
 * enum color { RED = 1, BLUE = 5 };
 * struct task { union { int a; atomic b; }; struct far *far; const char name[16];
 *		 enum color color; };
 * typedef void (*trace_exit)(int);  int helper(int);  and the same name as a type
 */
static struct btf *kernel(void)
{
	struct btf *b = btf__new_empty();
	int integer, chars, far, far_pointer, inner, atomic, both, constant, array, color, proto;

	integer = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	chars = btf__add_int(b, "char", 1, 0);
	far = btf__add_struct(b, "far", 4);
	btf__add_field(b, "x", integer, 0, 0);
	far_pointer = btf__add_ptr(b, far);
	inner = btf__add_struct(b, NULL, 4);
	btf__add_field(b, "counter", integer, 0, 0);
	atomic = btf__add_typedef(b, "atomic", inner);
	both = btf__add_union(b, NULL, 4);
	btf__add_field(b, "a", integer, 0, 0);
	btf__add_field(b, "b", atomic, 0, 0);
	constant = btf__add_const(b, chars);
	array = btf__add_array(b, integer, constant, 16);
	color = btf__add_enum(b, "color", 4);
	btf__add_enum_value(b, "RED", 1);
	btf__add_enum_value(b, "BLUE", 5);
	btf__add_struct(b, "task", 40);
	btf__add_field(b, NULL, both, 0, 0);
	btf__add_field(b, "far", far_pointer, 64, 0);
	btf__add_field(b, "name", array, 128, 0);
	btf__add_field(b, "color", color, 256, 0);
	proto = btf__add_func_proto(b, 0);
	btf__add_func_param(b, "n", integer);
	btf__add_typedef(b, "trace_exit", btf__add_ptr(b, proto));
	btf__add_func(b, "helper", BTF_FUNC_GLOBAL, proto);
	btf__add_func(b, "task", BTF_FUNC_GLOBAL, proto);
	return b;
}

static const char *const wanted[] = {"task", "color", "missing"};
#define NR_WANTED (sizeof(wanted) / sizeof(wanted[0]))

static void structures_are_copied_with_what_lies_in_them(void **state)
{
	struct btf *from = kernel(), *to;
	struct buffer out = {0};
	const struct btf_type *t, *u;
	const struct btf_member *m;
	const void *raw;
	uint32_t size;
	int id;

	(void)state;
	raw = btf__raw_data(from, &size);
	assert_int_equal(ktypes_trim(raw, size, wanted, NR_WANTED, NULL, 0, &out), 0);
	to = btf__new(out.data, (uint32_t)out.len);
	assert_non_null(to);
	id = btf__find_by_name_kind(to, "task", BTF_KIND_STRUCT);
	assert_true(id > 0);
	t = btf__type_by_id(to, (uint32_t)id);
	assert_int_equal(t->size, 40);
	assert_int_equal(btf_vlen(t), 4);
	m = btf_members(t);
	u = btf__type_by_id(to, m[0].type);
	assert_true(btf_is_union(u));
	assert_string_equal(btf__name_by_offset(to, btf_members(u)[1].name_off), "b");
	u = btf__type_by_id(to, btf_members(u)[1].type);
	assert_true(btf_is_typedef(u));
	assert_string_equal(btf__name_by_offset(to, u->name_off), "atomic");
	u = btf__type_by_id(to, u->type);
	assert_string_equal(btf__name_by_offset(to, btf_members(u)[0].name_off), "counter");
	assert_string_equal(btf__name_by_offset(to, m[1].name_off), "far");
	assert_int_equal(m[1].offset, 64);
	u = btf__type_by_id(to, m[1].type);
	assert_true(btf_is_ptr(u));
	assert_int_equal(u->type, 0);
	assert_int_equal(btf__resolve_size(to, m[2].type), 16);
	u = btf__type_by_id(to, m[3].type);
	assert_true(btf_is_enum(u));
	assert_int_equal(btf_enum(u)[1].val, 5);
	/* what only a pointer leads to, and other kinds of the same name */
	assert_true(btf__find_by_name(to, "far") < 0);
	assert_true(btf__find_by_name(to, "missing") < 0);
	assert_true(btf__find_by_name_kind(to, "task", BTF_KIND_FUNC) < 0);
	btf__free(from);
	btf__free(to);
	buffer_free(&out);
}

static void numbers_are_those_of_the_kernel(void **state)
{
	struct ktypes_id ids[] = {
	    {.name = "trace_exit", .kind = BTF_KIND_TYPEDEF},
	    {.name = "task", .kind = BTF_KIND_FUNC},
	    {.name = "trace_missing", .kind = BTF_KIND_TYPEDEF, .id = 7},
	    {.name = "helper", .kind = BTF_KIND_TYPEDEF},
	};
	struct btf *from = kernel();
	struct buffer out = {0};
	const void *raw;
	uint32_t size;

	(void)state;
	raw = btf__raw_data(from, &size);
	assert_int_equal(ktypes_trim(raw, size, NULL, 0, ids, 4, &out), 0);
	assert_int_equal(ids[0].id, btf__find_by_name_kind(from, "trace_exit", BTF_KIND_TYPEDEF));
	assert_int_equal(ids[1].id, btf__find_by_name_kind(from, "task", BTF_KIND_FUNC));
	assert_int_equal(ids[2].id, 0);
	assert_int_equal(ids[3].id, 0);
	btf__free(from);
	buffer_free(&out);
}

/* Every cut, and every byte changed: refused or taken, but nothing outside is read
 * (the sanitizers watch). */
static void damaged_types_do_no_harm(void **state)
{
	struct btf *from = kernel();
	struct buffer out = {0};
	unsigned char *copy;
	const void *raw;
	uint32_t size;

	(void)state;
	raw = btf__raw_data(from, &size);
	for (uint32_t n = 0; n < size; n++) {
		copy = malloc(n ? n : 1);
		memcpy(copy, raw, n);
		assert_int_equal(ktypes_trim(copy, n, wanted, NR_WANTED, NULL, 0, &out), -EINVAL);
		free(copy);
		buffer_clear(&out);
	}
	copy = malloc(size + 1);
	for (uint32_t n = 0; n < size; n++) {
		memcpy(copy, raw, size);
		copy[n] ^= 0xff;
		ktypes_trim(copy, size, wanted, NR_WANTED, NULL, 0, &out);
		buffer_clear(&out);
	}
	free(copy);
	btf__free(from);
	buffer_free(&out);
}

/* Where the kernel shows its types, without privilege. */
static void the_kernel_that_runs_has_them(void **state)
{
	static const char *const names[] = {"task_struct"};
	struct ktypes_id id = {.name = "bpf_iter_task", .kind = BTF_KIND_FUNC};
	int fd;

	(void)state;
	if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
		skip();
	fd = ktypes_open(names, 1, &id, 1);
	assert_true(fd >= 0);
	assert_true(id.id > 0);
	assert_true(lseek(fd, 0, SEEK_END) > 1000);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(structures_are_copied_with_what_lies_in_them),
	    cmocka_unit_test(numbers_are_those_of_the_kernel),
	    cmocka_unit_test(damaged_types_do_no_harm),
	    cmocka_unit_test(the_kernel_that_runs_has_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
