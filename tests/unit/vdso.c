// SPDX-License-Identifier: GPL-2.0-only
/* The vDSO's parser against the loader's own findings, and against images
 * that were cut, bent and stripped of one hash table. */
#include <dlfcn.h>
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "vdso.h"

#if defined(__x86_64__)
#define NAME "__vdso_clock_gettime"
#define VERSION "LINUX_2.6"
#else
#define NAME "__kernel_clock_gettime"
#define VERSION "LINUX_2.6.39"
#endif

/* A copy that ends where its allocation ends, so that a sanitizer sees any
 * byte read beyond it. */
static struct vdso cut(const struct vdso *v, size_t size)
{
	unsigned char *copy = malloc(size ? size : 1);

	assert_non_null(copy);
	memcpy(copy, v->image, size);
	return (struct vdso){copy, size};
}

static void the_loader_agrees(void **state)
{
	struct vdso v;
	struct vdso_functions f;
	void *loaded = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);

	(void)state;
	assert_true(vdso_own(&v));
	assert_ptr_equal(v.image, (void *)getauxval(AT_SYSINFO_EHDR));
	assert_non_null(loaded);
	vdso_functions(&v, &f);
	assert_ptr_equal((void *)f.gettime, dlsym(loaded, NAME));
	assert_ptr_equal(v.image + vdso_symbol(&v, NAME, VERSION), dlsym(loaded, NAME));
#if defined(__x86_64__)
	assert_ptr_equal((void *)f.getres, dlsym(loaded, "__vdso_clock_getres"));
	assert_ptr_equal((void *)f.gettimeofday, dlsym(loaded, "__vdso_gettimeofday"));
	assert_ptr_equal((void *)f.time, dlsym(loaded, "__vdso_time"));
#else
	assert_ptr_equal((void *)f.getres, dlsym(loaded, "__kernel_clock_getres"));
	assert_ptr_equal((void *)f.gettimeofday, dlsym(loaded, "__kernel_gettimeofday"));
	assert_null((void *)f.time);
#endif
	dlclose(loaded);
}

static void its_size_is_what_is_mapped(void **state)
{
	struct vdso v;
	char line[512];
	unsigned long from = 0, to = 0;
	FILE *maps = fopen("/proc/self/maps", "re");

	(void)state;
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps) && !strstr(line, "[vdso]"))
		;
	fclose(maps);
	assert_int_equal(sscanf(line, "%lx-%lx", &from, &to), 2);
	assert_true(vdso_own(&v));
	assert_int_equal((uintptr_t)v.image, from);
	assert_int_equal(v.size, to - from);
}

static void names_and_versions_must_match(void **state)
{
	struct vdso v;

	(void)state;
	assert_true(vdso_own(&v));
	assert_int_not_equal(vdso_symbol(&v, NAME, NULL), 0);
	assert_int_equal(vdso_symbol(&v, NAME, "LINUX_2.5"), 0);
	assert_int_equal(vdso_symbol(&v, "__vdso_clock_gettim", NULL), 0);
	assert_int_equal(vdso_symbol(&v, "", NULL), 0);
	struct vdso none = {0};
	struct vdso_functions f;
	assert_int_equal(vdso_symbol(&none, NAME, NULL), 0);
	vdso_functions(&none, &f);
	assert_true(!f.gettime && !f.getres && !f.gettimeofday && !f.time);
}

/* Renames every dynamic entry of that tag; returns how many there were. */
static int drop_tag(unsigned char *image, Elf64_Sxword tag)
{
	Elf64_Ehdr *e = (Elf64_Ehdr *)image;
	Elf64_Phdr *p = (Elf64_Phdr *)(image + e->e_phoff);
	int dropped = 0;

	for (int i = 0; i < e->e_phnum; i++) {
		if (p[i].p_type != PT_DYNAMIC)
			continue;
		Elf64_Dyn *d = (Elf64_Dyn *)(image + p[i].p_offset);
		for (; d->d_tag != DT_NULL; d++) {
			if (d->d_tag == tag) {
				d->d_tag = DT_DEBUG;
				dropped++;
			}
		}
	}
	return dropped;
}

static void either_hash_table_will_do(void **state)
{
	struct vdso v;
	unsigned int tables = 0;

	(void)state;
	assert_true(vdso_own(&v));
	size_t expected = vdso_symbol(&v, NAME, VERSION);
	for (int kept = 0; kept < 2; kept++) {
		struct vdso copy = cut(&v, v.size);
		unsigned char *image = (unsigned char *)(uintptr_t)copy.image;
		/* The kernel builds some vDSOs with one of the two only. */
		drop_tag(image, kept ? DT_HASH : DT_GNU_HASH);
		if (drop_tag(image, kept ? DT_GNU_HASH : DT_HASH) == 1) {
			struct vdso other = cut(&v, v.size);
			drop_tag((unsigned char *)(uintptr_t)other.image,
				 kept ? DT_HASH : DT_GNU_HASH);
			assert_int_equal(vdso_symbol(&other, NAME, VERSION), expected);
			free((void *)(uintptr_t)other.image);
			tables++;
		}
		assert_int_equal(vdso_symbol(&copy, NAME, VERSION), 0); /* neither is left */
		free(image);
	}
	assert_in_range(tables, 1, 2);
}

static void a_cut_image_is_never_read_past(void **state)
{
	struct vdso v;

	(void)state;
	assert_true(vdso_own(&v));
	size_t expected = vdso_symbol(&v, NAME, VERSION);
	for (size_t size = 0; size < v.size; size += size < 1024 ? 1 : 7) {
		struct vdso copy = cut(&v, size);
		size_t found = vdso_symbol(&copy, NAME, VERSION);
		assert_true(found == 0 || found == expected);
		vdso_claimed_size(copy.image, copy.size);
		free((void *)(uintptr_t)copy.image);
	}
}

static void a_bent_image_is_survived(void **state)
{
	static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	struct vdso v;

	(void)state;
	assert_true(vdso_own(&v));
	struct vdso copy = cut(&v, v.size);
	unsigned char *image = (unsigned char *)(uintptr_t)copy.image;
	for (size_t i = 0; i < 4096 && i < copy.size; i++) {
		unsigned char was = image[i];
		for (size_t j = 0; j < sizeof(values); j++) {
			image[i] = values[j];
			assert_true(vdso_symbol(&copy, NAME, VERSION) < copy.size);
			vdso_claimed_size(copy.image, copy.size);
		}
		image[i] = was;
	}
	free(image);
}

static void other_files_are_refused(void **state)
{
	unsigned char zeros[4096] = {0};
	Elf64_Ehdr e = {.e_machine = EM_386, .e_phentsize = sizeof(Elf64_Phdr)};

	(void)state;
	assert_int_equal(vdso_claimed_size(zeros, sizeof(zeros)), 0);
	assert_int_equal(vdso_claimed_size(zeros, 3), 0);
	memcpy(e.e_ident, ELFMAG, SELFMAG);
	e.e_ident[EI_CLASS] = ELFCLASS64;
	assert_int_equal(vdso_claimed_size((unsigned char *)&e, sizeof(e)), 0);
}

static void an_unmapped_vdso_is_none(void **state)
{
	struct vdso v;
	int status;
	pid_t child = fork();

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		if (!vdso_own(&v) || munmap((void *)(uintptr_t)v.image, v.size) != 0)
			_exit(1);
		_exit(vdso_own(&v) || v.image || v.size ? 2 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_loader_agrees),
	    cmocka_unit_test(its_size_is_what_is_mapped),
	    cmocka_unit_test(names_and_versions_must_match),
	    cmocka_unit_test(either_hash_table_will_do),
	    cmocka_unit_test(a_cut_image_is_never_read_past),
	    cmocka_unit_test(a_bent_image_is_survived),
	    cmocka_unit_test(other_files_are_refused),
	    cmocka_unit_test(an_unmapped_vdso_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
