// SPDX-License-Identifier: GPL-2.0-only
/*
 * libbpf would read all of the kernel's types to find where the programs attach,
 * and go through all of them for each structure that the programs read.  Here
 * ktypes.c does both in one pass: libbpf gets the structures as a BTF file of
 * its own (btf_custom_path), and the programs their targets from a handler of
 * their sections.
 */
#include "loader.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ktypes.h"
#include "vdso.h"

/* The skeleton speaks of the kernel's types. */
typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;
#include "clocktop.skel.h"

#define MAX_NAMES 128

/* What sections attach to, as the kernel's BTF names it. */
static struct ktypes_id targets[] = {
    {.name = "btf_trace_sys_exit", .kind = BTF_KIND_TYPEDEF},
    {.name = "btf_trace_emulate_vsyscall", .kind = BTF_KIND_TYPEDEF},
    {.name = "btf_trace_sched_process_exit", .kind = BTF_KIND_TYPEDEF},
    {.name = "btf_trace_sched_process_exec", .kind = BTF_KIND_TYPEDEF},
    {.name = "btf_trace_sched_process_fork", .kind = BTF_KIND_TYPEDEF},
    {.name = "bpf_iter_task", .kind = BTF_KIND_FUNC},
};

#define NR_TARGETS (sizeof(targets) / sizeof(targets[0]))

/*
 * libbpf says on its own lines why something failed; the first of them that
 * is no boilerplate goes into our one.
 */
static char libbpf_said[256];

static int keep_libbpf_line(enum libbpf_print_level level, const char *format, va_list args)
{
	char line[sizeof(libbpf_said)];
	const char *text = line;

	if (level != LIBBPF_WARN || libbpf_said[0])
		return 0;
	vsnprintf(line, sizeof(line), format, args);
	if (strncmp(text, "libbpf: ", 8) == 0)
		text += 8;
	snprintf(libbpf_said, sizeof(libbpf_said), "%s", text);
	libbpf_said[strcspn(libbpf_said, "\n")] = 0;
	return 0;
}

const char *loader_said(void)
{
	return libbpf_said;
}

/* The number of what a section attaches to; 0: the kernel has no such thing. */
static uint32_t target_of(const char *section)
{
	const char *slash = strchr(section, '/');
	char name[64];

	if (!slash)
		return 0;
	snprintf(name, sizeof(name), "%s%s",
		 strncmp(section, "iter/", 5) == 0 ? "bpf_iter_" : "btf_trace_", slash + 1);
	for (size_t i = 0; i < NR_TARGETS; i++)
		if (strcmp(targets[i].name, name) == 0)
			return targets[i].id;
	return 0;
}

/* Called right before a program is loaded.  Until then it has another type, so
 * that libbpf does not look for its target. */
static int set_target(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long attach_type)
{
	const uint32_t id = target_of(bpf_program__section_name(prog));

	if (!id)
		return -ESRCH;
	bpf_program__set_expected_attach_type(prog, (enum bpf_attach_type)attach_type);
	opts->expected_attach_type = (enum bpf_attach_type)attach_type;
	opts->attach_btf_id = id;
	return bpf_program__set_type(prog, BPF_PROG_TYPE_TRACING);
}

static int handle_section(const char *section, enum bpf_attach_type attach_type)
{
	const struct libbpf_prog_handler_opts opts = {
	    .sz = sizeof(opts),
	    .cookie = attach_type,
	    .prog_prepare_load_fn = set_target,
	};

	return libbpf_register_prog_handler(section, BPF_PROG_TYPE_RAW_TRACEPOINT, attach_type,
					    &opts);
}

/* The names of all types that the programs use, the maps' own among them; flavours
 * as the kernel calls them.  Strings are owned by the caller. */
static size_t type_names(const struct btf *btf, char *names[MAX_NAMES])
{
	const uint32_t nr_types = btf__type_cnt(btf);
	size_t nr = 0;

	for (uint32_t id = 1; id < nr_types && nr < MAX_NAMES; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, t->name_off);
		const char *flavour = name ? strstr(name, "___") : NULL;

		if ((!btf_is_composite(t) && !btf_is_any_enum(t)) || !name || !*name)
			continue;
		names[nr] = flavour ? strndup(name, (size_t)(flavour - name)) : strdup(name);
		nr += names[nr] != NULL;
	}
	return nr;
}

/* A file with the kernel's types that the programs read, its descriptor; or
 * -errno.  Answers the targets. */
static int kernel_types(void)
{
	struct clocktop_bpf *skel = clocktop_bpf__open();
	char *names[MAX_NAMES];
	size_t nr;
	int fd;

	if (!skel)
		return -errno;
	nr = type_names(bpf_object__btf(skel->obj), names);
	clocktop_bpf__destroy(skel);
	fd = ktypes_open((const char *const *)names, nr, targets, NR_TARGETS);
	while (nr)
		free(names[--nr]);
	return fd;
}

static struct clocktop_bpf *open_skeleton(const struct collector_config *config, const char *types,
					  bool vsyscall)
{
	const struct bpf_object_open_opts opts = {.sz = sizeof(opts), .btf_custom_path = types};
	struct clocktop_bpf *skel = clocktop_bpf__open_opts(&opts);

	if (!skel)
		return NULL;
	skel->rodata->follow_forks = config->follow;
	skel->rodata->page_shift = (u32)__builtin_ctzl((unsigned long)sysconf(_SC_PAGESIZE));
#ifdef __aarch64__
	{
		struct vdso vdso;

		skel->rodata->native_vdso_size = vdso_own(&vdso) ? (u32)vdso.size : 0;
		/* The 32-bit one fits a page (arch/arm64/kernel/vdso32). */
		skel->rodata->compat_vdso_size = (u32)sysconf(_SC_PAGESIZE);
	}
#endif
	bpf_program__set_autoload(skel->progs.follow_fork, config->follow);
	if (!config->follow) /* its empty buckets would take a while to make */
		bpf_map__set_max_entries(skel->maps.followed, 1);
#ifdef __x86_64__
	bpf_program__set_autoload(skel->progs.count_vsyscall, vsyscall);
#else
	(void)vsyscall;
#endif
	if (config->max_dead)
		bpf_map__set_max_entries(skel->maps.dead, config->max_dead);
	if (config->max_overflow)
		bpf_map__set_max_entries(skel->maps.overflow, config->max_overflow);
	return skel;
}

/* Loads with the optional programs, and without where that fails. */
static int load(struct clocktop_bpf **skel, const struct collector_config *config,
		const char *types)
{
	int err, first = 0;
	int vsyscall;

	for (vsyscall = target_of("tp_btf/emulate_vsyscall") != 0; vsyscall >= 0; vsyscall--) {
		*skel = open_skeleton(config, types, vsyscall);
		if (!*skel)
			return -errno;
		err = clocktop_bpf__load(*skel);
		if (!err)
			return 0;
		clocktop_bpf__destroy(*skel);
		*skel = NULL;
		if (!first)
			first = err;
		if (err == -EPERM || err == -EACCES || err == -ENOMEM)
			break;
	}
	return first;
}

int loader_load(struct clocktop_bpf **skel, const struct collector_config *config)
{
	static int handlers = -1; /* for good: see tests/live/valgrind.supp */
	char path[64];
	int fd, err;

	*skel = NULL;
	libbpf_said[0] = 0;
	libbpf_set_print(keep_libbpf_line);
	if (handlers < 0) {
		handlers = handle_section("tp_btf+", BPF_TRACE_RAW_TP);
		if (handlers >= 0)
			handlers = handle_section("iter+", BPF_TRACE_ITER);
	}
	if (handlers < 0)
		return handlers;
	fd = kernel_types();
	if (fd == -EFBIG) /* ulimit -f; libbpf can read all of them itself */
		return load(skel, config, NULL);
	if (fd < 0) {
		if (fd == -EINVAL)
			snprintf(libbpf_said, sizeof(libbpf_said),
				 "its BTF has kinds of types that are not known here");
		return fd;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = load(skel, config, path);
	close(fd);
	return err;
}

static int attach_one(struct bpf_program *prog, struct bpf_link **link)
{
	if (!prog || !bpf_program__autoload(prog))
		return 0;
	*link = bpf_program__expected_attach_type(prog) == BPF_TRACE_ITER
		    ? bpf_program__attach_iter(prog, NULL)
		    : bpf_program__attach_trace(prog);
	return *link ? 0 : -errno;
}

/* The count last: whoever exits after it was counted is buried. */
int loader_attach(struct clocktop_bpf *skel)
{
	int err;

	err = attach_one(skel->progs.read_tasks, &skel->links.read_tasks);
	if (!err)
		err = attach_one(skel->progs.bury, &skel->links.bury);
	if (!err)
		err = attach_one(skel->progs.forget_where, &skel->links.forget_where);
	if (!err)
		err = attach_one(skel->progs.follow_fork, &skel->links.follow_fork);
#ifdef __x86_64__
	if (!err)
		err = attach_one(skel->progs.count_vsyscall, &skel->links.count_vsyscall);
#endif
	if (!err)
		err = attach_one(skel->progs.count_syscall, &skel->links.count_syscall);
	return err;
}
