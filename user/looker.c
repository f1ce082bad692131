// SPDX-License-Identifier: GPL-2.0-only
#include "looker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define NS_PER_S 1000000000ULL

/* Threads that may be stuck before no more are started. */
#define MAX_LEFT 4

/* The memory outlives the looker when a thread is stuck in it. */
struct shared {
	struct look_memory memory;
	atomic_uint users;
	atomic_uint left; /* threads that were left behind and have not ended */
};

struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;  /* to the worker */
	pthread_cond_t ended; /* from it */
	struct shared *shared;
	struct look *look;
	bool done; /* look is finished */
	bool quit; /* end */
	bool left; /* nobody waits: free all this yourself */
};

struct looker {
	struct shared *shared;
	struct worker *worker; /* or NULL */
};

static void shared_drop(struct shared *shared)
{
	if (atomic_fetch_sub(&shared->users, 1) != 1)
		return;
	look_memory_free(&shared->memory);
	free(shared);
}

static void worker_free(struct worker *w)
{
	if (w->look) {
		look_clear(w->look);
		free(w->look);
	}
	shared_drop(w->shared);
	pthread_cond_destroy(&w->wake);
	pthread_cond_destroy(&w->ended);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	bool left;

	pthread_mutex_lock(&w->lock);
	while (!w->quit) {
		struct look *look = w->look;

		if (!look || w->done) {
			pthread_cond_wait(&w->wake, &w->lock);
			continue;
		}
		pthread_mutex_unlock(&w->lock);
		look_at(look, &w->shared->memory);
		pthread_mutex_lock(&w->lock);
		w->done = true;
		pthread_cond_signal(&w->ended);
	}
	left = w->left;
	pthread_mutex_unlock(&w->lock);
	if (left) {
		atomic_fetch_sub(&w->shared->left, 1);
		worker_free(w);
	}
	return NULL;
}

/* Starts the thread; no signal is delivered to it. */
static int start(struct worker *w)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&w->thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

static int worker_new(struct looker *l)
{
	struct worker *w = calloc(1, sizeof(*w));
	pthread_condattr_t monotonic;

	if (!w)
		return -EAGAIN;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	pthread_cond_init(&w->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	atomic_fetch_add(&l->shared->users, 1);
	w->shared = l->shared;
	if (start(w)) {
		worker_free(w);
		return -EAGAIN;
	}
	l->worker = w;
	return 0;
}

struct looker *looker_new(void)
{
	struct looker *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->shared = calloc(1, sizeof(*l->shared));
	if (!l->shared || look_memory_init(&l->shared->memory)) {
		free(l->shared);
		free(l);
		return NULL;
	}
	atomic_init(&l->shared->users, 1);
	atomic_init(&l->shared->left, 0);
	return l;
}

/* Ends the worker: waits for it, or leaves it to its running look. */
static void dismiss(struct looker *l)
{
	struct worker *w = l->worker;
	pthread_t thread = w->thread; /* w is gone once its look ends */
	bool left;

	pthread_mutex_lock(&w->lock);
	left = w->look && !w->done;
	w->left = left;
	if (left)
		atomic_fetch_add(&w->shared->left, 1);
	w->quit = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	l->worker = NULL;
	if (left) {
		pthread_detach(thread);
		return;
	}
	pthread_join(thread, NULL);
	worker_free(w);
}

void looker_free(struct looker *l)
{
	if (!l)
		return;
	if (l->worker)
		dismiss(l);
	shared_drop(l->shared);
	free(l);
}

int looker_begin(struct looker *l, struct look *look)
{
	if (looker_busy(l))
		return -EBUSY;
	if (!looker_ready(l) || (!l->worker && worker_new(l)))
		return -EAGAIN;
	pthread_mutex_lock(&l->worker->lock);
	l->worker->look = look;
	l->worker->done = false;
	pthread_cond_signal(&l->worker->wake);
	pthread_mutex_unlock(&l->worker->lock);
	return 0;
}

struct look *looker_take(struct looker *l, uint64_t ns)
{
	struct worker *w = l->worker;
	struct look *look = NULL;
	struct timespec until;

	if (!looker_busy(l))
		return NULL;
	clock_gettime(CLOCK_MONOTONIC, &until);
	ns += (uint64_t)until.tv_nsec;
	until.tv_sec += (time_t)(ns / NS_PER_S);
	until.tv_nsec = (long)(ns % NS_PER_S);
	pthread_mutex_lock(&w->lock);
	while (!w->done && pthread_cond_timedwait(&w->ended, &w->lock, &until) == 0)
		;
	if (w->done) {
		look = w->look;
		w->look = NULL;
	}
	pthread_mutex_unlock(&w->lock);
	return look;
}

bool looker_busy(const struct looker *l)
{
	/* Only this thread sets and takes it. */
	return l->worker && l->worker->look;
}

bool looker_ready(const struct looker *l)
{
	return !looker_busy(l) && (l->worker || atomic_load(&l->shared->left) < MAX_LEFT);
}

void looker_leave(struct looker *l)
{
	if (looker_busy(l))
		dismiss(l);
}

struct look_memory *looker_memory(struct looker *l)
{
	return &l->shared->memory;
}
