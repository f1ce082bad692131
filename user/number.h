/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers that people typed, read strictly: no blanks, signs, exponents,
 * hexadecimal, "nan" or "inf", nothing after the last digit, no overflow.
 * Pure functions; LC_NUMERIC is "C" throughout the program.
 */
#ifndef CLOCKTOP_NUMBER_H
#define CLOCKTOP_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the `len` bytes at s as digits.  false when they are anything else
 * or more than max; *n is then untouched. */
bool number_whole(const char *s, size_t len, uint64_t max, uint64_t *n);

/* Reads s as digits with at most one point among or around them ("1", "0.5",
 * ".5", "2.").  false when it is anything else or not finite. */
bool number_decimal(const char *s, double *n);

#endif
