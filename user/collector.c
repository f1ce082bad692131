// SPDX-License-Identifier: GPL-2.0-only
#include "collector.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "commands.h"
#include "host.h"
#include "loader.h"
#include "overflow.h"
#include "refusal.h"

/* The skeleton speaks of the kernel's types. */
typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;
#include "clocktop.skel.h"

/* How many entries one call of a batch operation moves. */
#define BATCH 512

struct object {
	struct object_key key;
	char name[OBJECT_NAME];
};

struct collector {
	struct clocktop_bpf *skel;
	int cpus; /* possible ones: the kernel's ids lie below */

	/* What was drained of `dead` and waits for the next sample. */
	unsigned char *drained;
	size_t drained_bytes, drained_room;
	uint64_t buried;   /* of the kernel's own counter, up to the last drain */
	uint64_t unburied; /* of the kernel's, up to the last sample */
	struct task_entry *batch;
	uint64_t *batch_keys;
	uint32_t batch_size;
	struct overflow_list overflow_before; /* of a complete sample */

	struct object **objects; /* by number */
	size_t nr_objects;
};

static int fail(char *err, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(char *err, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(err, size, format, args);
	va_end(args);
	return STATUS_CANNOT;
}

int collector_open(struct collector **out, const struct collector_config *config, char *err,
		   size_t err_size)
{
	struct collector *c;
	size_t i;
	int error;

	*out = NULL;
	if (!host_initial_pid_namespace())
		return fail(err, err_size,
			    "not in the initial pid namespace: the pids that the kernel counts by "
			    "are not the ones seen here. Run it on the host, or in a container "
			    "with the host's pid namespace (--pid=host)");
	c = calloc(1, sizeof(*c));
	if (!c)
		return fail(err, err_size, "%s", strerror(ENOMEM));
	c->batch_size = BATCH;
	c->batch = malloc(c->batch_size * sizeof(*c->batch));
	c->batch_keys = malloc(c->batch_size * sizeof(*c->batch_keys));
	c->cpus = libbpf_num_possible_cpus();
	if (!c->batch || !c->batch_keys || c->cpus < 0) {
		error = c->cpus < 0 ? -c->cpus : ENOMEM;
		collector_close(c);
		return fail(err, err_size, "%s", strerror(error));
	}
	if (c->cpus > MAX_CPUS)
		c->cpus = MAX_CPUS;
	error = loader_load(&c->skel, config);
	for (i = 0; !error && i < config->nr_pids; i++)
		error = collector_follow(c, config->pids[i]);
	if (!error)
		error = loader_attach(c->skel);
	if (error) {
		collector_close(c);
		refusal_explain(err, err_size, error, loader_said());
		return STATUS_CANNOT;
	}
	malloc_trim(0); /* the kernel's types were read */
	*out = c;
	return 0;
}

int collector_follow(struct collector *c, uint32_t tgid)
{
	u8 one = 1;

	return bpf_map__update_elem(c->skel->maps.followed, &tgid, sizeof(tgid), &one, sizeof(one),
				    BPF_ANY);
}

/* Makes room for `more` bytes after `used`. */
static int grow(unsigned char **buf, size_t *room, size_t used, size_t more)
{
	size_t want = *room ? *room : 65536;
	unsigned char *p;

	if (used + more <= *room)
		return 0;
	while (want < used + more)
		want *= 2;
	p = realloc(*buf, want);
	if (!p)
		return -ENOMEM;
	*buf = p;
	*room = want;
	return 0;
}

/* A bucket of the map held more than one batch. */
static int grow_batch(struct collector *c)
{
	uint32_t size = c->batch_size * 2;
	void *p;

	p = realloc(c->batch, size * sizeof(*c->batch));
	if (!p)
		return -ENOMEM;
	c->batch = p;
	p = realloc(c->batch_keys, size * sizeof(*c->batch_keys));
	if (!p)
		return -ENOMEM;
	c->batch_keys = p;
	c->batch_size = size;
	return 0;
}

static uint64_t sum_buried(const struct collector *c)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < c->cpus; i++)
		sum += *(volatile __u64 *)&c->skel->bss->cpus[i].buried;
	return sum;
}

int collector_drain(struct collector *c)
{
	int fd = bpf_map__fd(c->skel->maps.dead);
	uint64_t buried = sum_buried(c);
	uint32_t position, i, n;
	void *from = NULL;
	int err = 0;

	if (buried == c->buried)
		return 0;
	while (err != -ENOENT) {
		n = c->batch_size;
		err = bpf_map_lookup_and_delete_batch(fd, from, &position, c->batch_keys, c->batch,
						      &n, NULL);
		if (err == -ENOSPC) {
			if (grow_batch(c))
				return -ENOMEM;
			continue;
		}
		if (err && err != -ENOENT)
			return err;
		if (grow(&c->drained, &c->drained_room, c->drained_bytes,
			 n * sizeof(struct task_entry)))
			return -ENOMEM;
		for (i = 0; i < n; i++) {
			size_t size = sample_entry_size(&c->batch[i]);

			memcpy(c->drained + c->drained_bytes, &c->batch[i], size);
			c->drained_bytes += size;
		}
		from = &position;
	}
	c->buried = buried;
	return 0;
}

/* Runs the task iterator. */
static int read_live(struct collector *c, struct sample *s)
{
	int fd = bpf_iter_create(bpf_link__fd(c->skel->links.read_tasks));
	ssize_t n;
	int err = 0;

	if (fd < 0)
		return -errno;
	do {
		err = grow(&s->entries, &s->room, s->bytes, 65536);
		if (err)
			break;
		n = read(fd, s->entries + s->bytes, s->room - s->bytes);
		if (n > 0)
			s->bytes += (size_t)n;
		else if (n < 0 && errno != EAGAIN && errno != EINTR)
			err = -errno;
	} while (!err && n != 0);
	close(fd);
	return err;
}

/* Program runs that the kernel skipped because the program was already
 * running on that CPU. */
static uint64_t skipped_runs(const struct bpf_program *prog)
{
	struct bpf_prog_info info = {};
	uint32_t size = sizeof(info);

	if (!prog || bpf_program__fd(prog) < 0 ||
	    bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &size))
		return 0;
	return info.recursion_misses;
}

static void read_totals(struct collector *c, struct sample *s)
{
	volatile __u64 *losses = c->skel->bss->losses;
	int i;

	s->host_calls = 0;
	for (i = 0; i < c->cpus; i++)
		s->host_calls += *(volatile __u64 *)&c->skel->bss->cpus[i].syscalls;
	s->missed = losses[LOSS_STORAGE] + losses[LOSS_OVERFLOW] + losses[LOSS_DEAD];
	s->follow_lost = losses[LOSS_FOLLOW];
	s->missed += skipped_runs(c->skel->progs.count_syscall);
	s->missed += skipped_runs(c->skel->progs.bury);
#ifdef __x86_64__
	s->missed += skipped_runs(c->skel->progs.count_vsyscall);
#endif
}

static bool has_overflow(const struct collector *c)
{
	return *(volatile __u64 *)&c->skel->bss->overflow_keys != 0;
}

/* Adds the map's entries to the sample. */
static int read_overflow(struct collector *c, struct sample *s)
{
	int fd = bpf_map__fd(c->skel->maps.overflow);
	struct overflow_list list = {.items = s->overflow, .room = s->overflow_room};
	int err;

	if (!has_overflow(c))
		return 0;
	err = overflow_read(fd, &list);
	s->overflow = list.items;
	s->overflow_room = list.room;
	if (err)
		return err;
	s->nr_overflow = list.nr;
	return overflow_settle(fd, s, &c->overflow_before);
}

int collector_read(struct collector *c, struct sample *s)
{
	uint64_t unburied = *(volatile __u64 *)&c->skel->bss->unburied;
	struct timespec mono;
	int err;

	s->bytes = 0;
	s->nr_overflow = 0;
	/* Tasks vanished without an entry: only a full list tells which live. */
	s->complete = unburied != c->unburied;
	c->unburied = unburied;
	c->skel->bss->emit_all = s->complete;
	if (s->complete && has_overflow(c)) {
		err = overflow_read(bpf_map__fd(c->skel->maps.overflow), &c->overflow_before);
		if (err)
			return err;
	}
	clock_gettime(CLOCK_REALTIME, &s->wall);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	s->mono_ns = (uint64_t)mono.tv_sec * 1000000000 + (uint64_t)mono.tv_nsec;
	err = read_live(c, s);
	s->live_bytes = s->bytes;
	if (!err)
		err = collector_drain(c);
	if (!err)
		err = grow(&s->entries, &s->room, s->bytes, c->drained_bytes);
	if (err)
		return err;
	if (c->drained_bytes)
		memcpy(s->entries + s->bytes, c->drained, c->drained_bytes);
	s->bytes += c->drained_bytes;
	c->drained_bytes = 0;
	err = read_overflow(c, s);
	read_totals(c, s);
	return err;
}

int collector_peek(struct collector *c, struct sample *s)
{
	int err;

	s->bytes = 0;
	s->nr_overflow = 0;
	c->skel->bss->emit_all = false;
	c->skel->bss->peek = true;
	err = read_live(c, s);
	c->skel->bss->peek = false;
	s->live_bytes = s->bytes;
	return err;
}

const char *collector_host_event(const struct collector *c)
{
	(void)c;
	return "raw_syscalls:sys_exit";
}

/* Reads the files that were numbered since.  Nothing is said on failure: the
 * name stays unknown. */
static void read_objects(struct collector *c)
{
	int fd = bpf_map__fd(c->skel->maps.objects);
	struct object_key key, *previous = NULL;
	struct object_value value;

	while (bpf_map_get_next_key(fd, previous, &key) == 0) {
		previous = &key;
		if (bpf_map_lookup_elem(fd, &key, &value))
			continue;
		if (value.id >= c->nr_objects) {
			size_t n = value.id + 64;
			struct object **p = realloc(c->objects, n * sizeof(struct object *));

			if (!p)
				return;
			memset(p + c->nr_objects, 0, (n - c->nr_objects) * sizeof(struct object *));
			c->objects = p;
			c->nr_objects = n;
		}
		if (c->objects[value.id])
			continue;
		c->objects[value.id] = malloc(sizeof(struct object));
		if (!c->objects[value.id])
			return;
		c->objects[value.id]->key = key;
		memcpy(c->objects[value.id]->name, value.name, sizeof(value.name));
		c->objects[value.id]->name[OBJECT_NAME - 1] = 0;
	}
}

static const struct object *find_object(struct collector *c, uint64_t where)
{
	uint32_t id = (where >> WHERE_OBJECT_SHIFT) & WHERE_OBJECT_MASK;

	if (!id || id == WHERE_ANON)
		return NULL;
	if (id >= c->nr_objects || !c->objects[id])
		read_objects(c);
	return id < c->nr_objects ? c->objects[id] : NULL;
}

const char *collector_object(struct collector *c, uint64_t where)
{
	const struct object *o;

	if (((where >> WHERE_OBJECT_SHIFT) & WHERE_OBJECT_MASK) == WHERE_ANON)
		return "[anon]";
	o = find_object(c, where);
	return o ? o->name : "";
}

bool collector_object_file(struct collector *c, uint64_t where, dev_t *dev, ino_t *ino)
{
	const struct object *o = find_object(c, where);

	if (!o)
		return false;
	/* include/linux/kdev_t.h: MINORBITS */
	*dev = makedev(o->key.dev >> 20, o->key.dev & 0xfffff);
	*ino = o->key.ino;
	return true;
}

void collector_close(struct collector *c)
{
	size_t i;

	if (!c)
		return;
	clocktop_bpf__destroy(c->skel);
	for (i = 0; i < c->nr_objects; i++)
		free(c->objects[i]);
	free(c->objects);
	free(c->drained);
	free(c->overflow_before.items);
	free(c->batch);
	free(c->batch_keys);
	free(c);
}
