// SPDX-License-Identifier: GPL-2.0-only
/* What the host module makes of command lines, names and signatures, and
 * that what it reads of this host agrees with what others read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <cmocka.h>

#include "host.h"

static void boot_parameters_keep_all_that_matter(void **state)
{
	char words[256];

	(void)state;
	host_boot_parameters(
	    words, sizeof(words),
	    "BOOT_IMAGE=/vmlinuz root=/dev/sda1 clocksource=hpet quiet tsc=reliable "
	    "vdso=0 xvdso=1 vdso32=0 vsyscall=none clocksource=tsc");
	assert_string_equal(words, "clocksource=hpet tsc=reliable vdso=0 vdso32=0 vsyscall=none "
				   "clocksource=tsc");
	host_boot_parameters(words, sizeof(words), "notsc notscx no-kvmclock no-kvmclock-vsyscall");
	assert_string_equal(words, "notsc no-kvmclock no-kvmclock-vsyscall");
	host_boot_parameters(words, sizeof(words), "");
	assert_string_equal(words, "");
	host_boot_parameters(words, sizeof(words), "  \t tsc=unstable\t\n");
	assert_string_equal(words, "tsc=unstable");
}

static void what_follows_two_dashes_is_inits(void **state)
{
	char words[64];

	(void)state;
	host_boot_parameters(words, sizeof(words), "tsc=reliable -- clocksource=hpet");
	assert_string_equal(words, "tsc=reliable");
	host_boot_parameters(words, sizeof(words), "--x clocksource=hpet");
	assert_string_equal(words, "clocksource=hpet");
}

static void quotes_hold_words_together(void **state)
{
	char words[64];

	(void)state;
	host_boot_parameters(words, sizeof(words), "dyndbg=\"file a tsc=unstable\" vdso=1");
	assert_string_equal(words, "vdso=1");
}

static void only_whole_words_fit(void **state)
{
	char words[12];

	(void)state;
	host_boot_parameters(words, sizeof(words), "tsc=reliable vdso=0 vdso32=0");
	assert_string_equal(words, "vdso=0");
}

static void the_last_parameter_wins(void **state)
{
	struct host h = {.cmdline = "clocksource=hpet tsc=reliable clocksource=tsc notsc vdso=0"};
	char value[16];

	(void)state;
	assert_true(host_boot_parameter(&h, "clocksource", value, sizeof(value)));
	assert_string_equal(value, "tsc");
	assert_true(host_boot_parameter(&h, "vdso", value, sizeof(value)));
	assert_string_equal(value, "0");
	assert_false(host_boot_parameter(&h, "vdso32", value, sizeof(value)));
	assert_false(host_boot_parameter(&h, "clock", value, sizeof(value)));
	assert_false(host_boot_parameter(&h, "notsc", value, sizeof(value)));
}

static void available_matches_whole_names(void **state)
{
	struct host h = {.available = "tsc hpet acpi_pm"};

	(void)state;
	assert_true(host_clocksource_available(&h, "tsc"));
	assert_true(host_clocksource_available(&h, "hpet"));
	assert_true(host_clocksource_available(&h, "acpi_pm"));
	assert_false(host_clocksource_available(&h, "acpi"));
	assert_false(host_clocksource_available(&h, "sc"));
	assert_false(host_clocksource_available(&h, ""));
	h.available[0] = '\0';
	assert_false(host_clocksource_available(&h, "tsc"));
}

static void a_name_says_only_so_much(void **state)
{
	(void)state;
	assert_int_equal(host_clocksource_able("tsc"), HOST_ABLE_YES);
	assert_int_equal(host_clocksource_able("arch_sys_counter"), HOST_ABLE_YES);
	assert_int_equal(host_clocksource_able("kvm-clock"), HOST_ABLE_MAYBE);
	assert_int_equal(host_clocksource_able("xen"), HOST_ABLE_MAYBE);
	assert_int_equal(host_clocksource_able("hyperv_clocksource_tsc_page"), HOST_ABLE_MAYBE);
	assert_int_equal(host_clocksource_able("hyperv_clocksource_msr"), HOST_ABLE_NO);
	assert_int_equal(host_clocksource_able("hpet"), HOST_ABLE_NO);
	assert_int_equal(host_clocksource_able("acpi_pm"), HOST_ABLE_NO);
	assert_int_equal(host_clocksource_able("jiffies"), HOST_ABLE_NO);
	assert_int_equal(host_clocksource_able("tsc-early"), HOST_ABLE_NO);
}

static void signatures_name_hypervisors(void **state)
{
	(void)state;
	assert_string_equal(host_hypervisor_of_signature("KVMKVMKVM\0\0\0"), "KVM");
	assert_string_equal(host_hypervisor_of_signature("TCGTCGTCGTCG"), "QEMU (TCG)");
	assert_string_equal(host_hypervisor_of_signature("XenVMMXenVMM"), "Xen");
	assert_string_equal(host_hypervisor_of_signature("Microsoft Hv"), "Hyper-V");
	assert_string_equal(host_hypervisor_of_signature("VMwareVMware"), "VMware");
	assert_null(host_hypervisor_of_signature("GenuineIntel"));
	assert_null(host_hypervisor_of_signature("\0\0\0\0\0\0\0\0\0\0\0\0"));
}

static void firmware_names_hypervisors(void **state)
{
	(void)state;
	assert_string_equal(host_hypervisor_of_firmware("Amazon EC2", "m7g.large"), "KVM");
	assert_null(host_hypervisor_of_firmware("Amazon EC2", "m7g.metal"));
	assert_string_equal(host_hypervisor_of_firmware("QEMU", "KVM Virtual Machine"), "KVM");
	assert_string_equal(host_hypervisor_of_firmware("QEMU", "Standard PC"), "QEMU");
	assert_string_equal(host_hypervisor_of_firmware("Google", "Google Compute Engine"), "KVM");
	assert_string_equal(host_hypervisor_of_firmware("VMware, Inc.", "VMware7,1"), "VMware");
	assert_string_equal(host_hypervisor_of_firmware("Microsoft Corporation", "Virtual Machine"),
			    "Hyper-V");
	assert_null(host_hypervisor_of_firmware("Microsoft Corporation", "Surface Book"));
	assert_null(host_hypervisor_of_firmware("Dell Inc.", "PowerEdge R640"));
	assert_null(host_hypervisor_of_firmware("", ""));
}

static void this_host_reads_as_others_read_it(void **state)
{
	struct host h;
	struct utsname u;
	struct sysinfo info;

	(void)state;
	host_read(&h);
	assert_int_equal(uname(&u), 0);
	assert_string_equal(h.name, u.nodename);
	assert_string_equal(h.release, u.release);
	assert_string_equal(h.machine, u.machine);
	assert_int_equal(h.cpus, get_nprocs());
	assert_true(host_clocksource_available(&h, h.clocksource));
	assert_false(host_read_clocksource(&h));
	h.clocksource[0] = '?';
	assert_true(host_read_clocksource(&h));
	assert_int_equal(sysinfo(&info), 0);
	double uptime = host_uptime();
	assert_true(uptime >= (double)info.uptime - 2 && uptime <= (double)info.uptime + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(boot_parameters_keep_all_that_matter),
	    cmocka_unit_test(what_follows_two_dashes_is_inits),
	    cmocka_unit_test(quotes_hold_words_together),
	    cmocka_unit_test(only_whole_words_fit),
	    cmocka_unit_test(the_last_parameter_wins),
	    cmocka_unit_test(available_matches_whole_names),
	    cmocka_unit_test(a_name_says_only_so_much),
	    cmocka_unit_test(signatures_name_hypervisors),
	    cmocka_unit_test(firmware_names_hypervisors),
	    cmocka_unit_test(this_host_reads_as_others_read_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
