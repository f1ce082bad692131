// SPDX-License-Identifier: GPL-2.0-only
/* What /proc says, hostile or not, and what is made of it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "proc.h"

#define HEX64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void containers_are_found_in_cgroup_paths(void **state)
{
	static const struct {
		const char *path, *id;
	} rows[] = {
	    {"/", ""},
	    {"", ""},
	    {"/docker/" HEX64, "0123456789ab"},
	    {"/system.slice/docker-" HEX64 ".scope", "0123456789ab"},
	    {"/machine.slice/libpod-" HEX64 ".scope/container", "0123456789ab"},
	    {"/kubepods.slice/kubepods-besteffort.slice/"
	     "kubepods-besteffort-pod8a91f2d2_7f2e_4a1b_9e6d_d6a1f58bb1c3.slice/"
	     "cri-containerd-fedcba98" HEX64,
	     ""}, /* 72 digits are no id */
	    {"/kubepods/pod8a91f2d2-7f2e-4a1b-9e6d-d6a1f58bb1c3/" HEX64, "0123456789ab"},
	    {"/kubepods/crio-" HEX64, "0123456789ab"},
	    {"/a/ffffffffffffffffffffffffffffffff/b/" HEX64, "0123456789ab"},
	    {"/machine/0123456789abcdef0123456789abcdef", "0123456789ab"},
	    {"/x" HEX64, ""},
	    {"/" HEX64 "g", ""},
	    {"/user.slice/user-1000.slice/session-3.scope", ""},
	    {"/init.scope\xff\xfe", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char id[13];

		proc_container_of_path(rows[i].path, id);
		assert_string_equal(id, rows[i].id);
	}
}

static void containers_are_found_in_any_hierarchy(void **state)
{
	char v1[] = "12:pids:/docker/" HEX64 "\n1:name=systemd:/docker/" HEX64 "\n0::/\n";
	char odd[] = "\n:\n0:\nnonsense\n0::/a:b/" HEX64;
	char none[] = "0::/user.slice\n";
	char id[13];

	(void)state;
	proc_container_of_cgroup(v1, id);
	assert_string_equal(id, "0123456789ab");
	proc_container_of_cgroup(odd, id);
	assert_string_equal(id, "0123456789ab");
	proc_container_of_cgroup(none, id);
	assert_string_equal(id, "");
}

static void a_name_cannot_shift_the_start_time(void **state)
{
	const char *tail = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21\n";
	static const char *const names[] = {"a", "a) S 9 (b", ") ) (", "", "x y z", "\n\t("};
	char stat[256];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(stat, sizeof(stat), "77 (%s)%s", names[i], tail);
		assert_int_equal(proc_stat_start_ns(stat, 100), 47110000000ULL);
	}
	assert_int_equal(proc_stat_start_ns("77 (a) S 1 2 3", 100), 0);
	assert_int_equal(proc_stat_start_ns("", 100), 0);
	assert_int_equal(proc_stat_start_ns("77 (a)", 100), 0);
	snprintf(stat, sizeof(stat), "77 (a)%s",
		 " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 -1");
	assert_int_equal(proc_stat_start_ns(stat, 100), 0);
}

static void status_is_read_by_its_keys(void **state)
{
	struct proc_status s;

	(void)state;
	proc_parse_status("Name:\tTracerPid:\\n9\nTgid:\t12\nTracerPid:\t7\nSeccomp:\t2\n"
			  "Seccomp_filters:\t1\n",
			  &s);
	assert_int_equal(s.tgid, 12);
	assert_int_equal(s.tracer, 7);
	assert_int_equal(s.seccomp, 2);
	proc_parse_status("Tgid:\t\nSeccomp:\t9\nTracerPid:\t-4\n", &s);
	assert_int_equal(s.tgid, 0);
	assert_int_equal(s.tracer, 0);
	assert_int_equal(s.seccomp, -1);
	proc_parse_status("", &s);
	assert_int_equal(s.seccomp, -1);
}

static void this_process_is_itself(void **state)
{
	uint32_t pid = (uint32_t)getpid();
	uint64_t start = proc_start_ns(pid);
	struct timespec now;
	char buf[4096];

	(void)state;
	assert_int_equal(clock_gettime(CLOCK_BOOTTIME, &now), 0);
	assert_true(start > 0);
	assert_true(start <= (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
	assert_true(proc_is(pid, start));
	assert_true(proc_is(pid, start + 9999999)); /* the kernel's is finer */
	assert_false(proc_is(pid, start + 20000000));
	assert_false(proc_is(pid, start - 20000000));
	assert_int_equal(proc_same_pid_namespace(pid), 1);
	assert_true(proc_cmdline(pid, buf, sizeof(buf)) > 0);
	assert_non_null(strstr(buf, "unit_proc"));
	proc_exe(pid, buf, sizeof(buf));
	assert_int_equal(buf[0], '/');
	assert_true(proc_read(pid, "stat", buf, 5) == 4);
	assert_int_equal(strlen(buf), 4);
}

static void what_is_gone_is_said_to_be(void **state)
{
	struct proc_status s;
	char buf[64], id[13];
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(proc_start_ns((uint32_t)pid), 0);
	assert_int_equal(proc_status((uint32_t)pid, &s), -ENOENT);
	assert_int_equal(proc_read((uint32_t)pid, "maps", buf, sizeof(buf)), -ENOENT);
	assert_int_equal(proc_container((uint32_t)pid, id), -ENOENT);
	assert_int_equal(proc_seccomp((uint32_t)pid, 9), -ENOENT);
	assert_int_equal(proc_open_exe((uint32_t)pid), -ENOENT);
	assert_int_equal(proc_memory((uint32_t)pid, (uintptr_t)buf, buf, 1), -ESRCH);
	proc_exe((uint32_t)pid, buf, sizeof(buf));
	assert_string_equal(buf, "");
}

static void memory_is_read_whole_or_not(void **state)
{
	uint32_t pid = (uint32_t)getpid();
	char from[] = "bytes", to[sizeof(from)];

	(void)state;
	assert_int_equal(proc_memory(pid, (uintptr_t)from, to, sizeof(to)), 0);
	assert_string_equal(to, "bytes");
	assert_int_equal(proc_memory(pid, 0, to, sizeof(to)), -EFAULT);
}

static void only_regular_files_are_opened(void **state)
{
	char dir[] = "/tmp/clocktop-unit-XXXXXX", path[64], link[64];
	uint32_t pid = (uint32_t)getpid();
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/fifo", dir);
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(proc_open_mapped(pid, path), -EINVAL); /* and did not wait */
	assert_int_equal(proc_open_mapped(pid, "/dev/null"), -EINVAL);
	assert_int_equal(proc_open_mapped(pid, dir), -EINVAL);
	assert_int_equal(proc_open_mapped(pid, "/no/such/file"), -ENOENT);
	assert_int_equal(symlink("/proc/self/exe", link), 0);
	assert_int_equal(proc_open_mapped(pid, link), -ELOOP); /* magic links lead anywhere */
	fd = proc_open_mapped(pid, "/etc/passwd");
	assert_true(fd >= 0);
	close(fd);
	fd = proc_open_exe(pid);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(containers_are_found_in_cgroup_paths),
	    cmocka_unit_test(containers_are_found_in_any_hierarchy),
	    cmocka_unit_test(a_name_cannot_shift_the_start_time),
	    cmocka_unit_test(status_is_read_by_its_keys),
	    cmocka_unit_test(this_process_is_itself),
	    cmocka_unit_test(what_is_gone_is_said_to_be),
	    cmocka_unit_test(memory_is_read_whole_or_not),
	    cmocka_unit_test(only_regular_files_are_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
