// SPDX-License-Identifier: GPL-2.0-only
#include "privilege.h"

#include <errno.h>
#include <sys/capability.h>
#include <sys/prctl.h>

static const cap_value_t kept[] = {CAP_BPF, CAP_PERFMON, CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH};
#define NR_KEPT (sizeof(kept) / sizeof(kept[0]))

/* The bounding and ambient sets limit what an exec could bring back; there is
 * no exec, and no_new_privs stands before it, so a refusal here is no error. */
static void clear_sets(void)
{
	for (cap_value_t cap = 0; cap < cap_max_bits(); cap++)
		if (cap_get_bound(cap) > 0 && cap_drop_bound(cap) < 0)
			break;	   /* no CAP_SETPCAP */
	(void)cap_reset_ambient(); /* only where the kernel has none */
}

/* Adds to `set` those of the kept ones that `had` permits.  0 or -errno. */
static int keep(cap_t set, cap_t had)
{
	for (size_t i = 0; i < NR_KEPT; i++) {
		cap_flag_value_t has;

		/* An older kernel may not know it. */
		if (cap_get_flag(had, kept[i], CAP_PERMITTED, &has) < 0 || has != CAP_SET)
			continue;
		if (cap_set_flag(set, CAP_PERMITTED, 1, &kept[i], CAP_SET) < 0 ||
		    cap_set_flag(set, CAP_EFFECTIVE, 1, &kept[i], CAP_SET) < 0)
			return -errno;
	}
	return 0;
}

int privilege_drop(void)
{
	cap_t had = cap_get_proc();
	cap_t set = cap_init();
	int err = 0;

	if (!had || !set) {
		err = -errno;
		goto out;
	}
	err = keep(set, had);
	if (err)
		goto out;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
		err = -errno;
		goto out;
	}
	clear_sets();
	if (cap_set_proc(set) < 0)
		err = -errno;
out:
	if (had)
		cap_free(had);
	if (set)
		cap_free(set);
	return err;
}
