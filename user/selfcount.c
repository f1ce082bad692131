// SPDX-License-Identifier: GPL-2.0-only
#include "selfcount.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "collector.h"
#include "sample.h"

struct selfcount {
	struct collector *collector;
	struct sample sample;
};

int selfcount_open(struct selfcount **s, char *err, size_t err_size)
{
	static const struct collector_config config = {0};
	struct selfcount *self = calloc(1, sizeof(*self));

	*s = NULL;
	if (!self) {
		if (err_size)
			err[0] = '\0';
		return -ENOMEM;
	}
	sample_init(&self->sample);
	int status = collector_open(&self->collector, &config, err, err_size);
	if (status) {
		free(self);
		return status;
	}
	*s = self;
	return 0;
}

void selfcount_close(struct selfcount *s)
{
	if (!s)
		return;
	collector_close(s->collector);
	sample_free(&s->sample);
	free(s);
}

struct job {
	void (*fn)(void *arg);
	void *arg;
	pid_t tid;
	pthread_barrier_t turn; /* passed when fn is done, and when it was counted */
};

static void *run(void *arg)
{
	struct job *job = arg;

	job->tid = gettid();
	job->fn(job->arg);
	pthread_barrier_wait(&job->turn);
	pthread_barrier_wait(&job->turn);
	return NULL;
}

/* Calls of the entry's task that are in it or in the overflow. */
static uint64_t calls_of(const struct sample *s, const struct task_entry *e)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < e->nr; i++)
		count += e->slots[i].count;
	for (size_t i = 0; i < s->nr_overflow; i++) {
		if (s->overflow[i].key.serial == e->serial)
			count += s->overflow[i].value.count;
	}
	return count;
}

int selfcount_run(struct selfcount *s, void (*fn)(void *arg), void *arg, uint64_t *count)
{
	struct job job = {.fn = fn, .arg = arg};
	pthread_t thread;

	/* What came before is out of the way, and so are threads that had this id. */
	int error = collector_read(s->collector, &s->sample);
	if (error)
		return error;
	uint64_t missed = s->sample.missed;
	error = pthread_barrier_init(&job.turn, NULL, 2);
	if (error)
		return -error;
	error = pthread_create(&thread, NULL, run, &job);
	if (error) {
		pthread_barrier_destroy(&job.turn);
		return -error;
	}
	/* It is counted while it lives: of a thread that is just dying a sample
	 * can say nothing yet, and leave it to the next. */
	pthread_barrier_wait(&job.turn);
	error = collector_read(s->collector, &s->sample);
	pthread_barrier_wait(&job.turn);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&job.turn);
	if (error)
		return error;
	*count = 0;
	const struct task_entry *e = sample_first(&s->sample);
	for (; e; e = sample_next(&s->sample, e))
		if (e->name.tgid == (uint32_t)getpid() && e->name.tid == (uint32_t)job.tid)
			*count += calls_of(&s->sample, e);
	return s->sample.missed == missed ? 0 : -EIO;
}
