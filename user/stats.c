// SPDX-License-Identifier: GPL-2.0-only
#include "stats.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double stats_quantile(const double *sorted, size_t n, double q)
{
	if (n == 0)
		return NAN;
	double place = q * (double)(n - 1);
	size_t below = (size_t)place;
	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

struct spread stats_spread(double *values, size_t n)
{
	if (n == 0)
		return (struct spread){NAN, NAN, NAN, NAN, NAN};
	qsort(values, n, sizeof(*values), ascending);
	return (struct spread){
	    .min = values[0],
	    .low = stats_quantile(values, n, 0.25),
	    .median = stats_quantile(values, n, 0.5),
	    .high = stats_quantile(values, n, 0.75),
	    .max = values[n - 1],
	};
}

double stats_median(double *values, size_t n)
{
	return stats_spread(values, n).median;
}

double stats_spread_percent(const struct spread *s)
{
	if (!(s->median != 0))
		return NAN;
	return fabs((s->high - s->low) / 2 / s->median * 100);
}
