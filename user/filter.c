// SPDX-License-Identifier: GPL-2.0-only
#include "filter.h"

static bool has_uid(const struct table_filter *f, uid_t uid)
{
	for (size_t i = 0; i < f->nr_uids; i++)
		if (f->uids[i] == uid)
			return true;
	return false;
}

struct table_filter table_filter_of(const struct options *o)
{
	return (struct table_filter){
	    .followed_only = options_follow(o),
	    .uids = o->uids,
	    .nr_uids = o->nr_uids,
	    .comm = o->has_comm ? &o->comm : NULL,
	    .events = o->events,
	};
}

bool table_filter_record(const struct table_filter *f, const struct record *r)
{
	if (!(f->events & 1U << r->call))
		return false;
	if (f->followed_only && !r->followed)
		return false;
	if (f->nr_uids && !has_uid(f, r->uid))
		return false;
	return !f->comm || regexec(f->comm, r->process, 0, NULL, 0) == 0;
}
