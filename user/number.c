// SPDX-License-Identifier: GPL-2.0-only
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

bool number_whole(const char *s, size_t len, uint64_t max, uint64_t *n)
{
	uint64_t value = 0;

	if (len == 0)
		return false;
	for (size_t i = 0; i < len; i++) {
		unsigned int digit = (unsigned int)(unsigned char)s[i] - '0';

		if (digit > 9)
			return false;
		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (value > max)
		return false;
	*n = value;
	return true;
}

bool number_decimal(const char *s, double *n)
{
	size_t whole = strspn(s, DIGITS);
	size_t fraction = 0;
	const char *end = s + whole;
	double value;

	if (*end == '.') {
		fraction = strspn(end + 1, DIGITS);
		end += 1 + fraction;
	}
	if (*end || whole + fraction == 0)
		return false;
	value = strtod(s, NULL);
	if (!isfinite(value))
		return false;
	*n = value;
	return true;
}
