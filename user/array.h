/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow by one element at a time. */
#ifndef CLOCKTOP_ARRAY_H
#define CLOCKTOP_ARRAY_H

#include <stddef.h>

/* Makes room for one more element of `size` bytes behind `nr` of them; *room is how
 * many there is room for, and doubles when that is used up.  Returns the array,
 * which may have moved (NULL is one without room), or NULL without memory, and
 * then the old one stays as it is.  The caller frees it. */
void *array_room(void *array, size_t nr, size_t *room, size_t size);

#endif
