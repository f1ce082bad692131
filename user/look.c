// SPDX-License-Identifier: GPL-2.0-only
#include "look.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "caller.h"
#include "compat.h"
#include "elfsym.h"
#include "maps.h"
#include "proc.h"
#include "vdso.h"

/* Two to four pages on the kernels known. */
#define MAX_VDSO (128 * 1024)

#define MAX_THREADS 64

/* What stands in auxv behind AT_SYSINFO_EHDR is the kernel's own copy. */
#define AUXV_BYTES 2048

struct place_key {
	uint64_t ino, offset;
	uint32_t major, minor;
	uint64_t exe; /* a file is judged otherwise when it is the program */
};

struct place {
	enum caller caller;
	char *symbol;
};

/* What a pass over the maps finds. */
struct scan {
	struct look *look;
	uint64_t vdso, vdso_end;
	char **paths; /* the mapped file of each site; by inode, or by name */
	bool *exact;
};

int look_memory_init(struct look_memory *memory)
{
	memset(memory, 0, sizeof(*memory));
	map_init(&memory->places, sizeof(struct place_key), sizeof(struct place));
	return -pthread_mutex_init(&memory->lock, NULL);
}

void look_memory_free(struct look_memory *memory)
{
	const void *key;
	struct place *place;
	size_t at = 0;

	while ((place = map_each(&memory->places, &at, &key)))
		free(place->symbol);
	map_free(&memory->places);
	free(memory->compat);
	pthread_mutex_destroy(&memory->lock);
}

void look_clear(struct look *look)
{
	for (size_t i = 0; i < look->nr_sites; i++) {
		free(look->sites[i].object);
		free(look->sites[i].path);
		free(look->sites[i].symbol);
	}
	free(look->sites);
	free(look->clocks);
	free(look->exe);
	memset(look, 0, sizeof(*look));
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whether the mapping's file is the site's, by name: on stacked file systems
 * the inode that maps shows is not the one that the kernel side saw. */
static bool same_name(const char *path, const char *object)
{
	const char *name = base_name(path);
	size_t len = strlen(object);

	return strncmp(name, object, len) == 0 &&
	       (!name[len] || strcmp(name + len, " (deleted)") == 0);
}

/* Notes the mapping's file for the sites that lie in it. */
static void scan_sites(struct scan *scan, const struct mapping *m)
{
	struct look *look = scan->look;

	for (size_t i = 0; i < look->nr_sites; i++) {
		struct look_site *site = &look->sites[i];
		bool exact =
		    m->ino == site->ino && m->major == site->major && m->minor == site->minor;
		char *path;

		if (scan->exact[i] || m->path[0] != '/' || !m->executable)
			continue;
		if (site->offset <= m->offset || site->offset - m->offset > m->end - m->start)
			continue;
		if (!exact && (scan->paths[i] || !same_name(m->path, site->object)))
			continue;
		path = strdup(m->path);
		if (!path)
			continue;
		free(scan->paths[i]);
		scan->paths[i] = path;
		scan->exact[i] = exact;
		if (!exact) { /* what will be opened must be this file */
			site->ino = m->ino;
			site->major = m->major;
			site->minor = m->minor;
		}
	}
}

static bool scan_mapping(const struct mapping *m, void *arg)
{
	struct scan *scan = arg;

	if (strcmp(m->path, "[vdso]") == 0) {
		if (!scan->vdso)
			scan->vdso = m->start;
		scan->vdso_end = m->end;
		return true;
	}
	if (m->path[0] == '/' && !scan->look->tool)
		scan->look->tool = caller_tool(m->path);
	scan_sites(scan, m);
	return true;
}

/* Whether the kernel gave the process a vDSO, unmapped since or not. */
static bool kernel_gave_vdso(uint32_t pid)
{
	union {
		char bytes[AUXV_BYTES + 1];
		uint64_t words64[AUXV_BYTES / 8];
		uint32_t words32[AUXV_BYTES / 4];
	} auxv;
	ssize_t len = proc_read(pid, "auxv", auxv.bytes, sizeof(auxv.bytes));

	/* A 32-bit process has pairs of 32 bits; then a 64-bit word holds a key
	 * and its value. */
	for (ssize_t i = 0; len > 0 && i + 1 < len / 8; i += 2) {
		if (auxv.words64[i] == AT_NULL)
			break;
		if (auxv.words64[i] == AT_SYSINFO_EHDR)
			return auxv.words64[i + 1] != 0;
	}
	for (ssize_t i = 0; len > 0 && i + 1 < len / 4; i += 2) {
		if (auxv.words32[i] == AT_NULL)
			break;
		if (auxv.words32[i] == AT_SYSINFO_EHDR)
			return auxv.words32[i + 1] != 0;
	}
	return false;
}

/* The 32-bit vDSO, asked for once. */
static const unsigned char *compat_image(struct look_memory *memory, size_t *size)
{
	const unsigned char *image;

	pthread_mutex_lock(&memory->lock);
	if (!memory->compat_asked) {
		memory->compat_asked = true;
		memory->compat = malloc(MAX_VDSO);
		if (memory->compat)
			memory->compat_size = compat_vdso(memory->compat, MAX_VDSO);
	}
	image = memory->compat;
	*size = memory->compat_size;
	pthread_mutex_unlock(&memory->lock);
	return *size ? image : NULL;
}

/* Whether an image is the kernel's code.  The kernel patches its images once,
 * at boot, so all processes of a kind have the same bytes. */
static enum fact judge_vdso(const unsigned char *image, size_t size, struct look_memory *memory)
{
	const unsigned char *own_image = NULL;
	struct vdso own;
	size_t own_size = 0;
	uint16_t machine;

	if (size < sizeof(Elf64_Ehdr) || memcmp(image, ELFMAG, SELFMAG) != 0)
		return FACT_NO;
	memcpy(&machine, image + offsetof(Elf64_Ehdr, e_machine), sizeof(machine));
	if (image[EI_CLASS] == ELFCLASS64) {
		if (vdso_own(&own)) {
			own_image = own.image;
			own_size = own.size;
		}
	} else if (machine == EM_386) {
		own_image = compat_image(memory, &own_size);
	}
	if (!own_image)
		return FACT_UNKNOWN;
	return size == own_size && memcmp(image, own_image, size) == 0 ? FACT_YES : FACT_NO;
}

static void look_at_vdso(struct look *look, uint32_t pid, const struct scan *scan,
			 struct look_memory *memory)
{
	size_t size = scan->vdso_end - scan->vdso;
	unsigned char *image;

	if (!scan->vdso) {
		look->vdso = kernel_gave_vdso(pid) ? WHERE_VDSO_UNMAPPED : WHERE_VDSO_NONE;
		return;
	}
	look->vdso = WHERE_VDSO_MAPPED;
	if (size > MAX_VDSO) {
		look->vdso_genuine = FACT_NO;
		return;
	}
	image = malloc(size);
	look->vdso_err = image ? proc_memory(pid, scan->vdso, image, size) : -ENOMEM;
	if (!look->vdso_err)
		look->vdso_genuine = judge_vdso(image, size, memory);
	free(image);
}

/* File systems whose files have another device in maps than in stat. */
static bool device_differs(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 &&
	       (fs.f_type == 0x794c7630 /* overlayfs */ || fs.f_type == 0x9123683e /* btrfs */);
}

/* Whether fd, which is closed if not, is the file that is mapped; or -errno. */
static int check_site(int fd, const struct look_site *site)
{
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) == 0 && st.st_ino == site->ino &&
	    (st.st_dev == makedev(site->major, site->minor) || device_differs(fd)))
		return fd;
	close(fd);
	return -ESTALE;
}

/* Opens the site's file.  Where the process's own root is closed to us, the same
 * file may be found in ours. */
static int open_site(uint32_t pid, const struct look_site *site, const char *path)
{
	int fd = site->exe ? proc_open_exe(pid) : proc_open_mapped(pid, path), own;

	fd = check_site(fd, site);
	if (fd != -EACCES && fd != -EPERM)
		return fd;
	own = check_site(proc_open_mapped((uint32_t)getpid(), path), site);
	return own < 0 ? fd : own;
}

/* Whether fd is the file that the process's program names as its interpreter. */
static bool is_interpreter(uint32_t pid, int fd)
{
	char interp[ELFSYM_INTERP];
	struct stat one, other;
	int exe = proc_open_exe(pid), file;
	bool same;

	if (exe < 0)
		return false;
	if (elfsym_interp(exe, interp))
		interp[0] = '\0';
	close(exe);
	if (!interp[0])
		return false;
	file = proc_open_mapped(pid, interp);
	if (file < 0)
		return false;
	same = !fstat(fd, &one) && !fstat(file, &other) && one.st_ino == other.st_ino &&
	       one.st_dev == other.st_dev;
	close(file);
	return same;
}

/* Reads the file itself. */
static void read_place(struct look_site *site, uint32_t pid, const char *path, struct place *place)
{
	struct elfsym *sym = malloc(sizeof(*sym));
	int fd = open_site(pid, site, path);

	site->err = fd < 0 ? fd : 0;
	/* The offset is behind the instruction, which may end its function. */
	if (sym && fd >= 0 && elfsym_find(fd, site->offset - 1, sym) == 0) {
		bool bare = !site->exe && !sym->symtab && !sym->dynsym;

		place->caller = caller_of(sym, site->exe, bare && is_interpreter(pid, fd));
		if (sym->symbol[0])
			place->symbol = strdup(sym->symbol);
	}
	if (fd >= 0)
		close(fd);
	free(sym);
}

/* Takes the answer from memory, or reads it and remembers. */
static void answer_site(struct look_site *site, uint32_t pid, const char *path,
			struct look_memory *memory)
{
	struct place_key key = {
	    .ino = site->ino,
	    .offset = site->offset,
	    .major = site->major,
	    .minor = site->minor,
	    .exe = site->exe,
	};
	struct place read = {0}, *known;

	pthread_mutex_lock(&memory->lock);
	known = map_get(&memory->places, &key);
	if (known) {
		site->caller = known->caller;
		site->symbol = known->symbol ? strdup(known->symbol) : NULL;
	}
	pthread_mutex_unlock(&memory->lock);
	if (known)
		return;

	read_place(site, pid, path, &read);
	site->caller = read.caller;
	if (read.caller == CALLER_UNKNOWN && !read.symbol)
		return; /* another process may show more */
	site->symbol = read.symbol ? strdup(read.symbol) : NULL;
	pthread_mutex_lock(&memory->lock);
	known = map_put(&memory->places, &key, NULL);
	if (known && known->caller == CALLER_UNKNOWN && !known->symbol)
		*known = read;
	else
		free(read.symbol);
	pthread_mutex_unlock(&memory->lock);
}

static void look_at_maps(struct look *look, uint32_t pid, struct look_memory *memory)
{
	struct scan scan = {.look = look};
	long mapped;

	if (look->nr_sites) {
		scan.paths = calloc(look->nr_sites, sizeof(*scan.paths));
		scan.exact = calloc(look->nr_sites, sizeof(*scan.exact));
	}
	mapped = !look->nr_sites || (scan.paths && scan.exact) ? maps_each(pid, scan_mapping, &scan)
							       : -ENOMEM;
	if (mapped <= 0) /* none at all: it is ending */
		look->err = mapped < 0 ? (int)mapped : -ESRCH;
	else
		look_at_vdso(look, pid, &scan, memory);
	for (size_t i = 0; mapped > 0 && i < look->nr_sites; i++) {
		struct look_site *site = &look->sites[i];

		if (!scan.paths[i])
			continue;
		site->path = scan.paths[i];
		scan.paths[i] = NULL;
		site->exe = look->exe && strcmp(site->path, look->exe) == 0;
		answer_site(site, pid, site->path, memory);
	}
	for (size_t i = 0; scan.paths && i < look->nr_sites; i++)
		free(scan.paths[i]);
	free(scan.paths);
	free(scan.exact);
}

static void look_at_status(struct look *look)
{
	struct proc_status status;
	int filtered;

	if (proc_status(look->proc.pid, &status))
		return;
	look->tracer = status.tracer;
	if (status.seccomp >= 0)
		look->seccomp = status.seccomp ? FACT_YES : FACT_NO;
	if (look->seccomp != FACT_NO || !look->threads)
		return;
	filtered = proc_seccomp(look->proc.pid, MAX_THREADS);
	look->seccomp = filtered < 0 ? FACT_UNKNOWN : filtered ? FACT_YES : FACT_NO;
}

/* Whether there is a task of that number in the caller's own eyes.  The kernel
 * lets a thread's clock be read by its own process alone.
 * Source: kernel/time/posix-cpu-timers.c, pid_for_clock(). */
static enum served_state cpu_clock_exists(uint32_t pid, int32_t clock)
{
	uint32_t id = ~(uint32_t)clock >> 3;
	struct proc_status status;
	struct timespec ts;

	if (proc_same_pid_namespace(pid) != 1)
		return SERVED_UNKNOWN;
	if (clock & 4)
		return proc_status(id, &status) == 0 && status.tgid == pid ? SERVED_YES : SERVED_NO;
	return clock_gettime(clock, &ts) == 0 ? SERVED_YES : SERVED_NO;
}

static enum served_state clock_exists(uint32_t pid, int32_t clock)
{
	int device;

	if ((clock & 7) == 7) /* no kind of clock */
		return SERVED_NO;
	if ((clock & 3) != 3)
		return cpu_clock_exists(pid, clock);
	device = proc_fd_is_device(pid, ~(uint32_t)clock >> 3);
	return device == 0 || device == -ENOENT ? SERVED_NO : SERVED_UNKNOWN;
}

void look_at(struct look *look, struct look_memory *memory)
{
	uint32_t pid = look->proc.pid, living;
	char *exe;

	look->err = proc_is(pid, look->proc.start_ns) ? 0 : -ESRCH;
	if (look->err)
		return;
	living = proc_living_thread(pid);
	exe = malloc(PATH_MAX);
	if (exe) {
		proc_exe(living, exe, PATH_MAX);
		look->exe = exe[0] ? strdup(exe) : NULL;
		if (exe[0])
			look->tool = caller_tool(exe);
		free(exe);
	}
	proc_container(pid, look->container);
	look_at_status(look);
	for (size_t i = 0; i < look->nr_clocks; i++)
		look->clocks[i].exists = clock_exists(pid, look->clocks[i].clock);
	look_at_maps(look, living, memory);
	/* A process that ended meanwhile may have left its pid to another. */
	if (!proc_is(pid, look->proc.start_ns)) {
		look->err = -ESRCH;
		look->vdso = WHERE_VDSO_UNKNOWN;
		look->vdso_genuine = FACT_UNKNOWN;
		look->seccomp = FACT_UNKNOWN;
	}
}

bool look_remembered(struct look_site *site, struct look_memory *memory)
{
	struct place_key key = {
	    .ino = site->ino,
	    .offset = site->offset,
	    .major = site->major,
	    .minor = site->minor,
	};
	const struct place *known;

	pthread_mutex_lock(&memory->lock);
	known = map_get(&memory->places, &key);
	if (!known) {
		key.exe = true;
		known = map_get(&memory->places, &key);
	}
	if (known) {
		site->caller = known->caller;
		site->symbol = known->symbol ? strdup(known->symbol) : NULL;
	}
	pthread_mutex_unlock(&memory->lock);
	return known;
}

void look_elsewhere(struct look_site *site, uint32_t pid, struct look_memory *memory)
{
	struct look look = {.proc = {.pid = pid}, .sites = site, .nr_sites = 1};
	bool exact = false;
	char *path = NULL;
	struct scan scan = {.look = &look, .paths = &path, .exact = &exact};

	if (maps_each(pid, scan_mapping, &scan) > 0 && path && exact) {
		site->path = path;
		path = NULL;
		answer_site(site, pid, site->path, memory);
	}
	free(path);
}
