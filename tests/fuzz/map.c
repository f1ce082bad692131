// SPDX-License-Identifier: GPL-2.0-only
/*
 * The map against an array.  Each three bytes are an operation, a key and a
 * value; keys are few, so that they meet, and of a size that is no multiple
 * of a word.
 */
#include <stdbool.h>

#include "fuzz.h"
#include "map.h"

#define KEYS 256
#define KEY_SIZE 13

struct model {
	bool used[KEYS];
	uint32_t value[KEYS];
	size_t nr;
};

static void make_key(unsigned char key[KEY_SIZE], uint8_t n)
{
	memset(key, 0xaa, KEY_SIZE);
	key[n % KEY_SIZE] = n;
	key[KEY_SIZE - 1] = n;
}

static void put(struct map *m, struct model *model, uint8_t n, uint8_t value)
{
	unsigned char key[KEY_SIZE];
	uint32_t *v;
	bool fresh;

	make_key(key, n);
	v = map_put(m, key, &fresh);
	CHECK(v && fresh == !model->used[n]);
	CHECK(*v == (fresh ? 0 : model->value[n]));
	*v = model->value[n] = value + 1U;
	model->nr += fresh;
	model->used[n] = true;
}

static void take(struct map *m, struct model *model, uint8_t n)
{
	unsigned char key[KEY_SIZE];

	make_key(key, n);
	CHECK(map_remove(m, key) == model->used[n]);
	model->nr -= model->used[n];
	model->used[n] = false;
}

static void compare(const struct map *m, const struct model *model)
{
	unsigned char key[KEY_SIZE];
	const void *found;
	const uint32_t *v;
	size_t at = 0, nr = 0;

	for (unsigned int n = 0; n < KEYS; n++) {
		make_key(key, (uint8_t)n);
		v = map_get(m, key);
		CHECK(!v == !model->used[n] && (!v || *v == model->value[n]));
	}
	while ((v = map_each(m, &at, &found))) {
		memcpy(key, found, KEY_SIZE);
		CHECK(model->used[key[KEY_SIZE - 1]] && model->value[key[KEY_SIZE - 1]] == *v);
		nr++;
	}
	CHECK(nr == model->nr && m->used == model->nr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct model model = {0};
	struct map m;

	map_init(&m, KEY_SIZE, sizeof(uint32_t));
	for (size_t i = 0; i + 3 <= size; i += 3) {
		switch (data[i] % 16) {
		case 0:
			if (data[i + 2] >= 16)
				break;
			compare(&m, &model);
			break;
		case 1:
			if (data[i + 1])
				break;
			map_clear(&m);
			memset(&model, 0, sizeof(model));
			break;
		case 2 ... 6:
			take(&m, &model, data[i + 1]);
			break;
		default:
			put(&m, &model, data[i + 1], data[i + 2]);
		}
	}
	compare(&m, &model);
	map_free(&m);
	return 0;
}
