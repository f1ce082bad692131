/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The 32-bit vDSO of a 64-bit kernel, as the kernel would map it into a 32-bit
 * process: what the vDSOs of such processes are compared with.
 */
#ifndef CLOCKTOP_COMPAT_H
#define CLOCKTOP_COMPAT_H

#include <stddef.h>

/* Fills image with the 32-bit vDSO, whole pages, and returns its size; 0 when
 * this kernel gives none, or does not let us ask (arm64 never does).  A child
 * that lives for the moment drops its own vDSO and maps the other one.
 * Source: arch_prctl(2), ARCH_MAP_VDSO_32; arch/x86/entry/vdso/vma.c. */
size_t compat_vdso(unsigned char *image, size_t room);

#endif
