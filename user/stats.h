/* SPDX-License-Identifier: GPL-2.0-only */
/* Medians and spread of a few measurements.  Pure functions over numbers. */
#ifndef CLOCKTOP_STATS_H
#define CLOCKTOP_STATS_H

#include <stddef.h>

/* Where the values of a series lie. */
struct spread {
	double min, low, median, high, max; /* low, high: the quartiles */
};

/* The quantile q (0 … 1) of n sorted values, interpolated linearly between the
 * two nearest (Hyndman and Fan's type 7, the default of R and NumPy); NAN for
 * n = 0. */
double stats_quantile(const double *sorted, size_t n, double q);

/* Sorts the n values and says where they lie; all NAN for n = 0.  Values that
 * are NAN must not be among them. */
struct spread stats_spread(double *values, size_t n);

/* The median; sorts the values.  NAN for n = 0. */
double stats_median(double *values, size_t n);

/* Half the distance between the quartiles in percent of the median: what the
 * tables call spread.  NAN when there is no median or it is 0. */
double stats_spread_percent(const struct spread *s);

#endif
