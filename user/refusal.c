// SPDX-License-Identifier: GPL-2.0-only
#include "refusal.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the programs cannot do without, as the kernel's BTF names it, and how
 * to say it. */
static const struct {
	const char *type;
	const char *sentence;
} needed[] = {
    {"btf_trace_sys_exit", "raw_syscalls tracepoints (CONFIG_FTRACE_SYSCALLS)"},
    {"btf_trace_sched_process_exit", "the sched_process_exit tracepoint"},
    {"btf_trace_sched_process_exec", "the sched_process_exec tracepoint"},
    {"btf_trace_sched_process_fork", "the sched_process_fork tracepoint"},
    {"bpf_iter__task", "BPF task iterators (Linux 5.8)"},
};

/* The sentence of the first that is missing, or NULL. */
static const char *missing_type(const struct btf *btf)
{
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (btf__find_by_name(btf, needed[i].type) <= 0)
			return needed[i].sentence;
	return NULL;
}

/* Whether a program that reads the kernel's memory is refused: the least one
 * there can be is loaded.  Source: kernel/trace/bpf_trace.c,
 * LOCKDOWN_BPF_READ_KERNEL. */
static bool memory_is_closed(void)
{
	/* include/uapi/linux/bpf.h has the operations */
	const struct bpf_insn insns[] = {
	    {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_10},
	    {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_1, .imm = -8},
	    {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 8},
	    {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = 0},
	    {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel},
	    {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0},
	    {.code = BPF_JMP | BPF_EXIT},
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, NULL, "GPL", insns,
			       sizeof(insns) / sizeof(insns[0]), NULL);

	if (fd < 0)
		return true;
	close(fd);
	return false;
}

void refusal_explain(char *line, size_t size, int error, const char *said)
{
	const char *missing;
	struct btf *btf;

	if (error == -EPERM || error == -EACCES) {
		snprintf(line, size,
			 "cannot load BPF programs: needs CAP_BPF and CAP_PERFMON. "
			 "Run the same command with sudo: sudo clocktop ...");
		return;
	}
	btf = btf__load_vmlinux_btf();
	if (!btf) {
		snprintf(line, size,
			 "this kernel has no BTF (/sys/kernel/btf/vmlinux): it needs "
			 "CONFIG_DEBUG_INFO_BTF=y");
		return;
	}
	missing = missing_type(btf);
	btf__free(btf);
	if (!missing && libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL) == 0)
		missing = "BPF task storage (Linux 5.11)";
	if (missing)
		snprintf(line, size, "this kernel lacks %s", missing);
	else if (memory_is_closed())
		snprintf(line, size,
			 "this kernel lets no BPF program read its memory: it is locked "
			 "down for confidentiality (/sys/kernel/security/lockdown)");
	else
		snprintf(line, size, "cannot load BPF programs: %s%s%s", strerror(-error),
			 *said ? ": " : "", said);
}
