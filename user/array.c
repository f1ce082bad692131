// SPDX-License-Identifier: GPL-2.0-only
#include "array.h"

#include <stdlib.h>

#define FIRST_ROOM 64

void *array_room(void *array, size_t nr, size_t *room, size_t size)
{
	const size_t more = *room ? 2 * *room : FIRST_ROOM;
	void *moved;

	if (nr < *room)
		return array;
	moved = reallocarray(array, more, size);
	if (moved)
		*room = more;
	return moved;
}
