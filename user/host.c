// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"

/* The inode of the initial pid namespace, the same on every kernel. */
#define INITIAL_PID_NAMESPACE 0xEFFFFFFCU

/* Reads a file of one line without its newline; "" when it cannot be read. */
static bool read_line(const char *path, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	buf[0] = '\0';
	if (fd < 0)
		return false;
	while (len < size - 1 && (n = read(fd, buf + len, size - 1 - len)) > 0)
		len += (size_t)n;
	close(fd);
	buf[len] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return buf[0] != '\0';
}

/* Copies a string into a field; what is too long is cut. */
static void copy(char *to, size_t size, const char *from)
{
	size_t len = strlen(from);

	if (len >= size)
		len = size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

bool host_read_clocksource(struct host *h)
{
	char before[sizeof(h->clocksource)];

	memcpy(before, h->clocksource, sizeof(before));
	read_line(CLOCKSOURCE "current_clocksource", h->clocksource, sizeof(h->clocksource));
	read_line(CLOCKSOURCE "available_clocksource", h->available, sizeof(h->available));
	size_t len = strlen(h->available);
	while (len && h->available[len - 1] == ' ') /* the kernel ends the list with one */
		h->available[--len] = '\0';
	return strcmp(before, h->clocksource) != 0;
}

double host_uptime(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_BOOTTIME, &ts) != 0)
		return 0;
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

bool host_clocksource_available(const struct host *h, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = h->available; len && *p;) {
		size_t word = strcspn(p, " ");
		if (word == len && memcmp(p, name, len) == 0)
			return true;
		p += word + strspn(p + word, " ");
	}
	return false;
}

enum host_able host_clocksource_able(const char *name)
{
	static const struct {
		const char *name;
		enum host_able able;
	} known[] = {
	    {"tsc", HOST_ABLE_YES},
	    {"arch_sys_counter", HOST_ABLE_YES},
	    {"kvm-clock", HOST_ABLE_MAYBE},
	    {"xen", HOST_ABLE_MAYBE},
	    {"hyperv_clocksource_tsc_page", HOST_ABLE_MAYBE},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].name, name) == 0)
			return known[i].able;
	}
	return HOST_ABLE_NO;
}

/* Length of the first word of p: quotes hold spaces together, as
 * lib/cmdline.c has it. */
static size_t word_length(const char *p)
{
	bool quoted = false;
	size_t n = 0;

	for (; p[n] && (quoted || !strchr(" \t\n", p[n])); n++) {
		if (p[n] == '"')
			quoted = !quoted;
	}
	return n;
}

static bool matters(const char *word, size_t len)
{
	static const char *const parameters[] = {
	    "clocksource=",	    "tsc=",  "notsc",	"hpet=",     "nohpet", "no-kvmclock",
	    "no-kvmclock-vsyscall", "vdso=", "vdso32=", "vsyscall=",
	};

	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
		size_t n = strlen(parameters[i]);
		bool valued = parameters[i][n - 1] == '=';
		if (len >= n && memcmp(word, parameters[i], n) == 0 && (valued || len == n))
			return true;
	}
	return false;
}

void host_boot_parameters(char *words, size_t size, const char *cmdline)
{
	size_t used = 0;

	words[0] = '\0';
	for (const char *p = cmdline; *p;) {
		p += strspn(p, " \t\n");
		size_t len = word_length(p);
		if (len == 2 && memcmp(p, "--", 2) == 0)
			return;
		if (matters(p, len) && used + len + 2 <= size) {
			if (used)
				words[used++] = ' ';
			memcpy(words + used, p, len);
			used += len;
			words[used] = '\0';
		}
		p += len;
	}
}

bool host_boot_parameter(const struct host *h, const char *name, char *value, size_t size)
{
	size_t n = strlen(name);
	bool found = false;

	for (const char *p = h->cmdline; *p;) {
		size_t len = word_length(p);
		if (len > n && memcmp(p, name, n) == 0 && p[n] == '=') {
			snprintf(value, size, "%.*s", (int)(len - n - 1), p + n + 1);
			found = true;
		}
		p += len;
		p += strspn(p, " ");
	}
	return found;
}

const char *host_hypervisor_of_signature(const char signature[12])
{
	static const struct {
		char signature[13];
		const char *name;
	} known[] = {
	    {"KVMKVMKVM\0\0\0", "KVM"},	      {"TCGTCGTCGTCG", "QEMU (TCG)"},
	    {"XenVMMXenVMM", "Xen"},	      {"Microsoft Hv", "Hyper-V"},
	    {"VMwareVMware", "VMware"},	      {"VBoxVBoxVBox", "VirtualBox"},
	    {"bhyve bhyve ", "bhyve"},	      {" lrpepyh  vr", "Parallels"},
	    {"prl hyperv  ", "Parallels"},    {"ACRNACRNACRN", "ACRN"},
	    {"Jailhouse\0\0\0", "Jailhouse"}, {"Linux KVM Hv", "KVM"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (memcmp(known[i].signature, signature, 12) == 0)
			return known[i].name;
	}
	return NULL;
}

const char *host_hypervisor_of_firmware(const char *vendor, const char *product)
{
	/* Cloud vendors sell whole machines too, and name those otherwise. */
	if (strcmp(vendor, "Amazon EC2") == 0)
		return strstr(product, ".metal") ? NULL : "KVM";
	if (strcmp(vendor, "QEMU") == 0 || strstr(product, "KVM"))
		return strstr(product, "KVM") ? "KVM" : "QEMU";
	if (strcmp(product, "Google Compute Engine") == 0)
		return "KVM";
	if (strcmp(vendor, "Xen") == 0)
		return "Xen";
	if (strcmp(vendor, "Microsoft Corporation") == 0 && strcmp(product, "Virtual Machine") == 0)
		return "Hyper-V";
	if (strncmp(vendor, "VMware", 6) == 0)
		return "VMware";
	if (strcmp(product, "VirtualBox") == 0)
		return "VirtualBox";
	if (strncmp(vendor, "Parallels", 9) == 0)
		return "Parallels";
	return NULL;
}

#if defined(__x86_64__)
/* What CPUID says.  A hypervisor that also speaks Hyper-V's language for
 * Windows guests puts that first and its own signature 0x100 leaves later.
 * Source: arch/x86/include/asm/cpuid.h, hypervisor_cpuid_base(). */
static const char *hypervisor_of_cpu(void)
{
	const char *found = NULL;
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & (1U << 31)))
		return NULL;
	for (unsigned int leaf = 0x40000000; leaf < 0x40010000; leaf += 0x100) {
		char signature[12];
		__cpuid(leaf, eax, ebx, ecx, edx);
		memcpy(signature, &ebx, 4);
		memcpy(signature + 4, &ecx, 4);
		memcpy(signature + 8, &edx, 4);
		const char *name = host_hypervisor_of_signature(signature);
		if (name && strcmp(name, "Hyper-V") != 0)
			return name;
		if (name)
			found = name;
		else if (leaf > 0x40000000)
			break;
	}
	return found ? found : "unknown hypervisor";
}
#else
static const char *hypervisor_of_cpu(void)
{
	return NULL; /* arm64 has no such register */
}
#endif

/* What the device tree says; its strings end with a NUL each. */
static const char *hypervisor_of_device_tree(void)
{
	char text[256];

	if (read_line("/proc/device-tree/hypervisor/compatible", text, sizeof(text))) {
		if (strncmp(text, "xen", 3) == 0)
			return "Xen";
		if (strcmp(text, "linux,kvm") == 0)
			return "KVM";
		if (strcmp(text, "vmware") == 0)
			return "VMware";
	}
	if (read_line("/proc/device-tree/compatible", text, sizeof(text)) &&
	    strcmp(text, "linux,dummy-virt") == 0)
		return "QEMU";
	return NULL;
}

static void read_hypervisor(char *hypervisor, size_t size)
{
	char vendor[256], product[256];
	const char *name;

	if (read_line("/sys/hypervisor/type", vendor, sizeof(vendor)) && strcmp(vendor, "xen") == 0)
		name = "Xen";
	else
		name = hypervisor_of_cpu();
	if (!name) {
		read_line("/sys/class/dmi/id/sys_vendor", vendor, sizeof(vendor));
		read_line("/sys/class/dmi/id/product_name", product, sizeof(product));
		name = host_hypervisor_of_firmware(vendor, product);
	}
	if (!name)
		name = hypervisor_of_device_tree();
	copy(hypervisor, size, name ? name : "");
}

void host_read(struct host *h)
{
	struct utsname u;
	char cmdline[sizeof(h->cmdline)];

	memset(h, 0, sizeof(*h));
	if (uname(&u) == 0) {
		copy(h->name, sizeof(h->name), u.nodename);
		copy(h->release, sizeof(h->release), u.release);
		copy(h->machine, sizeof(h->machine), u.machine);
	}
	read_hypervisor(h->hypervisor, sizeof(h->hypervisor));
	host_read_clocksource(h);
	if (read_line("/proc/cmdline", cmdline, sizeof(cmdline)))
		host_boot_parameters(h->cmdline, sizeof(h->cmdline), cmdline);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	h->cpus = cpus > 0 ? (int)cpus : 1;
}

bool host_initial_pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == INITIAL_PID_NAMESPACE;
}
