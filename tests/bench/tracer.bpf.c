// SPDX-License-Identifier: GPL-2.0-only
/*
 * What clocktop's program is compared with: a program that does nothing, and
 * one that only counts all syscalls, in the cheapest way there is.  Both sit
 * where clocktop's does.
 */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "GPL";

#define MAX_CPUS 8192

/* A cache line for each CPU, of which the first word counts. */
#define LINE 8
__u64 lines[MAX_CPUS * LINE] __attribute__((aligned(64)));

SEC("tp_btf/sys_exit")
int BPF_PROG(empty, struct pt_regs *regs, long ret)
{
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(count, struct pt_regs *regs, long ret)
{
	lines[(bpf_get_smp_processor_id() & (MAX_CPUS - 1)) * LINE]++;
	return 0;
}
