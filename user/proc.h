/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one place that reads /proc/PID.  A process can vanish between any two
 * reads, and everything it shows about itself can be hostile: nothing here
 * blocks, reads without bound, or trusts a length.  (The kernel can still
 * make a reader wait for a file system that does not answer: what goes
 * through a process's own mounts is called from a thread, see aside.h.)
 */
#ifndef CLOCKTOP_PROC_H
#define CLOCKTOP_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Opens /proc/PID/NAME.  A descriptor or -errno. */
int proc_open(uint32_t pid, const char *name, int flags);

/* Reads at most size - 1 bytes of /proc/PID/NAME, NUL-terminated.  Returns
 * the length or -errno. */
ssize_t proc_read(uint32_t pid, const char *name, char *buf, size_t size);

/* Start time of a process in ns after boot, rounded down to a clock tick as
 * /proc has it; 0 when it is gone. */
uint64_t proc_start_ns(uint32_t pid);

/* The same from the text of /proc/PID/stat; 0 when that makes no sense.  Pure. */
uint64_t proc_stat_start_ns(const char *stat, long ticks_per_second);

/* Whether pid is still the process that started at start_ns (within a tick). */
bool proc_is(uint32_t pid, uint64_t start_ns);

/* A thread of the process that still runs, by whose number /proc answers what
 * it no longer does by that of a first thread that has ended: pid itself, most
 * often, and when there is none. */
uint32_t proc_living_thread(uint32_t pid);

/* Whether it is a thread of the kernel, which makes no syscalls; false when it is
 * gone.  Source: PF_KTHREAD, include/linux/sched.h. */
bool proc_is_kernel_thread(uint32_t pid);

/* The command line with spaces between arguments, raw bytes; "" for none.
 * Returns the length or -errno. */
ssize_t proc_cmdline(uint32_t pid, char *buf, size_t size);

/* The path of the program file as the process's own mounts have it, raw bytes,
 * with " (deleted)" behind it when it is; "" when it cannot be read. */
void proc_exe(uint32_t pid, char *buf, size_t size);

/* What /proc/PID/status says. */
struct proc_status {
	uint32_t tgid;	 /* 0: not said */
	uint32_t tracer; /* pid of the tracer, 0 for none */
	int seccomp;	 /* 0 none, 1 strict, 2 filter; -1: not said */
};

/* Parses that file's text.  Pure. */
void proc_parse_status(const char *text, struct proc_status *status);

/* Reads it.  0 or -errno. */
int proc_status(uint32_t pid, struct proc_status *status);

/* Whether a thread of the process has a seccomp filter: 1, 0, or -errno when
 * that cannot be said.  Looks at no more than max threads; more than that,
 * and none of them filtered, is -E2BIG. */
int proc_seccomp(uint32_t pid, unsigned int max);

/* Whether the process is in our own pid namespace, so that the pids it uses
 * are the ones we see: 1, 0 or -errno. */
int proc_same_pid_namespace(uint32_t pid);

/* Whether descriptor fd of the process is a character device, as clocks are:
 * 1, 0 or -errno. */
int proc_fd_is_device(uint32_t pid, unsigned int fd);

/* Copies len bytes at addr out of the process, all or none.  0 or -errno.
 * May wait for a file system when the process put one of its files there. */
int proc_memory(uint32_t pid, uint64_t addr, void *buf, size_t len);

/* Opens, for reading, the regular file that has this path, as /proc/PID/maps says
 * it, in the process's own root, without following a symlink out of it; "exe" names
 * its program file, even a deleted one.  A descriptor, or -errno (-EINVAL: no regular file;
 * nothing but a regular file is ever opened).  May wait for its file system. */
int proc_open_mapped(uint32_t pid, const char *path);
int proc_open_exe(uint32_t pid);

/* The first 12 hex digits of the container's id in a cgroup path (docker,
 * podman, containerd, cri-o, lxc, systemd-nspawn: the last 64- or 32-digit
 * hex word), or "".  Pure.  id has 13 bytes. */
void proc_container_of_path(const char *path, char id[13]);

/* The same from the text of /proc/PID/cgroup, which is cut up.  Pure. */
void proc_container_of_cgroup(char *cgroup, char id[13]);

/* The same for a process: reads /proc/PID/cgroup.  0 or -errno. */
int proc_container(uint32_t pid, char id[13]);

#endif
